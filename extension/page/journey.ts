// How the document came, and whether it minds being left.
import {attr} from "./attributes.ts";
import type {EngineCalls} from "./contract.ts";

/** HTTP status and redirects of this document, as the browser's own navigation entry has them. */
export function arrival(): EngineCalls["arrival"]["value"] {
  const [entry] = performance.getEntriesByType("navigation");
  if (!(entry instanceof PerformanceNavigationTiming)) return {status: null, redirects: 0};
  return {status: entry.responseStatus === 0 ? null : entry.responseStatus, redirects: entry.redirectCount};
}

/**
 * Whether the page would ask before it is left. Its own handlers run on an event that we make, so no dialog opens.
 * A page that asks is not kept from it here: in a late engine its listeners run before any of ours.
 */
export function leaving(): EngineCalls["leaving"]["value"] {
  const event = document.createEvent("BeforeUnloadEvent");
  event.initEvent("beforeunload", false, true);
  window.dispatchEvent(event);
  const answer = "returnValue" in event ? String(event.returnValue) : "";
  return {asks: event.defaultPrevented || (answer !== "" && answer !== "true"), fields: editedFields()};
}

/** Names of the text fields that no longer hold what the document gave them. */
function editedFields(): string[] {
  const fields = [...document.querySelectorAll("input, textarea")];
  return fields
    .filter(
      (field) =>
        (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
        field.value !== field.defaultValue,
    )
    .map((field) => attr(field, "aria-label") ?? attr(field, "name") ?? field.id)
    .filter((name) => name !== "")
    .slice(0, 20);
}
