// How the document came, and whether it minds being left.
import type {EngineCalls} from "./contract.ts";

/** HTTP status and redirects of this document, as the browser's own navigation entry has them. */
export function arrival(): EngineCalls["arrival"]["value"] {
  const [entry] = performance.getEntriesByType("navigation");
  if (!(entry instanceof PerformanceNavigationTiming)) return {status: null, redirects: 0};
  return {status: entry.responseStatus === 0 ? null : entry.responseStatus, redirects: entry.redirectCount};
}

/**
 * Whether the page would ask before it is left. Its own handlers run on an event that we make, so no dialog opens; with
 * `discard`, a first listener keeps the real event from them.
 */
export function leaving({discard}: EngineCalls["leaving"]["request"]): EngineCalls["leaving"]["value"] {
  if (discard) {
    window.addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), {capture: true, once: true});
    return {asks: false, fields: []};
  }
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
    .filter((field) => (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value !== field.defaultValue)
    .map((field) => field.getAttribute("aria-label") ?? field.getAttribute("name") ?? field.id)
    .filter((name) => name !== "")
    .slice(0, 20);
}
