// Names that the author gave outright: aria-labelledby and aria-label. Apart from name.ts because roles depend on it.
import {attr} from "./attributes.ts";

/** The elements that a space-separated list of ids names, in the element's own tree. */
export function referenced(element: Element, attribute: string): Element[] {
  const ids = attr(element, attribute);
  if (ids === null || ids.trim() === "") return [];
  const root = element.getRootNode();
  if (!(root instanceof Document) && !(root instanceof ShadowRoot)) return [];
  return ids
    .trim()
    .split(/\s+/)
    .map((id) => root.getElementById(id))
    .filter((found) => found !== null);
}

/** Whether the author named it. A title counts for landmarks too. */
export function hasAuthorName(element: Element): boolean {
  if ((attr(element, "aria-label") ?? "").trim() !== "") return true;
  if (referenced(element, "aria-labelledby").length > 0) return true;
  return (attr(element, "title") ?? "").trim() !== "";
}
