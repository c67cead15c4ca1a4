// Whether a person could see an element, and if not, what hides it.
import {has} from "./attributes.ts";
import type {Box} from "./contract.ts";
import {childrenOf, isElement, lineageOf, parentOf, shadowRootOf} from "./tree.ts";
import {oncePerTurn} from "./turn.ts";

export const styleOf = oncePerTurn((element: Element): CSSStyleDeclaration => getComputedStyle(element));

/** Why an element cannot be seen; null when it can. */
export interface Hiding {
  /** In a few words: "display: none". */
  why: string;
  /** The element that does it, itself or an ancestor. */
  by: Element;
  /** The element has no box at all, so that nothing could press it. */
  noBox: boolean;
}

export const isVisible = oncePerTurn((element: Element): boolean => {
  const drop = dropDownOf(element);
  if (drop !== null) return isVisible(drop) && element instanceof HTMLOptionElement && element.selected;
  if (!element.checkVisibility({visibilityProperty: true})) {
    return isContents(element) && someChildVisible(element);
  }
  if (isCollapsed(element)) return false;
  return hasBox(element) || someChildVisible(element);
});

export function hidingOf(element: Element): Hiding | null {
  if (isVisible(element)) return null;
  const drop = dropDownOf(element);
  if (drop !== null && isVisible(drop)) return {why: "an option of a closed select", by: drop, noBox: true};
  const shown = drop ?? element;
  for (const at of lineageOf(shown)) {
    const style = styleOf(at);
    if (style.display === "none") return {why: "display: none", by: at, noBox: true};
    if (at !== shown && style.contentVisibility === "hidden")
      return {why: "content-visibility: hidden", by: at, noBox: true};
    if (at !== shown && at.localName === "details" && !has(at, "open"))
      return {why: "a closed details element", by: at, noBox: true};
  }
  if (styleOf(shown).visibility !== "visible") {
    return {
      why: `visibility: ${styleOf(shown).visibility}`,
      by: outermost(shown, (at) => styleOf(at).visibility !== "visible"),
      noBox: false,
    };
  }
  if (isCollapsed(shown))
    return {why: "a box of no size that clips", by: outermost(shown, isCollapsed), noBox: false};
  return {why: "no box", by: shown, noBox: true};
}

/** The box of what an element shows: its own, or that of what it holds when it has none; null when there is none. */
export const boxOf = oncePerTurn((element: Element): Box | null => {
  const drop = dropDownOf(element);
  if (drop !== null) return boxOf(drop);
  return sized(element.getBoundingClientRect()) ?? unionOfChildren(element);
});

export function inViewport(box: Box): boolean {
  return box.x < innerWidth && box.y < innerHeight && box.x + box.width > 0 && box.y + box.height > 0;
}

/** An element outside the viewport that no scrolling can bring in: a parked drawer, text thrown far to the left. */
export function isOffscreen(element: Element): boolean {
  const box = boxOf(element);
  if (box === null || inViewport(box)) return false;
  let {x, y} = box;
  const {width, height} = box;
  let at: Element | null = element;
  while (at !== null) {
    const {by, fixed}: Setting = settingOf(at);
    if (fixed) return x + width <= 0 || y + height <= 0 || x >= innerWidth || y >= innerHeight;
    if (by === null) break;
    const frame = by.getBoundingClientRect();
    if (isBeyond(by, x - frame.x + by.scrollLeft, y - frame.y + by.scrollTop, width, height)) return true;
    // What is inside a scroller can be brought to where the scroller itself is.
    x = frame.x;
    y = frame.y;
    at = by;
  }
  return isBeyond(
    document.scrollingElement ?? document.documentElement,
    x + scrollX,
    y + scrollY,
    width,
    height,
  );
}

interface Setting {
  /** The nearest scroller around; null: the document. */
  by: Element | null;
  /** Fixed to the viewport before any scroller is met. */
  fixed: boolean;
}

const settingOf: (element: Element) => Setting = oncePerTurn((element: Element): Setting => {
  if (styleOf(element).position === "fixed") return {by: null, fixed: true};
  const parent = parentOf(element);
  if (parent === null || parent === document.body || parent === document.documentElement)
    return {by: null, fixed: false};
  if (clips(styleOf(parent))) return {by: parent, fixed: false};
  return settingOf(parent);
});

function isBeyond(scroller: Element, left: number, top: number, width: number, height: number): boolean {
  if (top + height <= 0 || top >= scroller.scrollHeight) return true;
  // Text that runs from right to left scrolls to negative offsets.
  return styleOf(scroller).direction !== "rtl" && (left + width <= 0 || left >= scroller.scrollWidth);
}

export const clips = (style: CSSStyleDeclaration): boolean =>
  style.overflowX !== "visible" || style.overflowY !== "visible";

/** The select whose closed box shows only the chosen one of its options. */
function dropDownOf(element: Element): Element | null {
  if (element.localName !== "option" && element.localName !== "optgroup") return null;
  const select = element.closest("select");
  return select !== null && select.size <= 1 && !select.multiple ? select : null;
}

const isContents = (element: Element): boolean => styleOf(element).display === "contents";

const hasBox = (element: Element): boolean =>
  Array.from(element.getClientRects()).some((rect) => sized(rect) !== null);

/** A box of no width or height that clips what overflows, or anything inside one. */
const isCollapsed: (element: Element) => boolean = oncePerTurn((element: Element): boolean => {
  const parent = parentOf(element);
  if (parent !== null && isCollapsed(parent)) {
    // A fixed element is not clipped by a box it is not laid out in.
    return styleOf(element).position !== "fixed";
  }
  const rect = element.getBoundingClientRect();
  if (rect.width > 0 && rect.height > 0) return false;
  const style = styleOf(element);
  if (style.display === "inline" || style.display === "contents") return false;
  const clipsX = style.overflowX !== "visible";
  const clipsY = style.overflowY !== "visible";
  return (rect.width === 0 && clipsX) || (rect.height === 0 && clipsY);
});

function someChildVisible(element: Element): boolean {
  if (element.childElementCount === 0 && shadowRootOf(element) === null && element.localName !== "slot") {
    return isContents(element) && hasText(element) && styleOf(element).visibility === "visible";
  }
  for (const child of childrenOf(element)) {
    if (isElement(child) && isVisible(child)) return true;
    if (child.nodeType === 3 && isContents(element) && (child.nodeValue ?? "").trim() !== "") return true;
  }
  return false;
}

const hasText = (element: Element): boolean => (element.textContent ?? "").trim() !== "";

function unionOfChildren(element: Element): Box | null {
  const range = document.createRange();
  let union: Box | null = null;
  for (const child of childrenOf(element)) {
    if (isElement(child)) union = merge(union, isVisible(child) ? boxOf(child) : null);
    else if (child.nodeType === 3) {
      range.selectNode(child);
      union = merge(union, sized(range.getBoundingClientRect()));
    }
  }
  return union;
}

const sized = ({x, y, width, height}: Box): Box | null =>
  width > 0 && height > 0 ? {x, y, width, height} : null;

function merge(one: Box | null, other: Box | null): Box | null {
  if (one === null || other === null) return one ?? other;
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  const width = Math.max(one.x + one.width, other.x + other.width) - x;
  return {x, y, width, height: Math.max(one.y + one.height, other.y + other.height) - y};
}

function outermost(element: Element, test: (at: Element) => boolean): Element {
  let found = element;
  for (const at of lineageOf(element)) {
    if (!test(at)) return found;
    found = at;
  }
  return found;
}
