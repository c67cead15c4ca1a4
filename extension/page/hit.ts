// Where to press an element, whether a press there would reach it, and scrolling until it does.
import type {Box, Point} from "./contract.ts";
import {labelsOf} from "./name.ts";
import {isLabel} from "./tags.ts";
import {elementAt, holds, lineageOf, shadowRootOf} from "./tree.ts";
import {newTurn} from "./turn.ts";
import {boxOf, clips, isOffscreen, styleOf} from "./visible.ts";

export type Aim =
  | {hit: true; point: Point; scrolled: boolean}
  | {hit: false; why: "offscreen"; scrolled: boolean}
  | {hit: false; why: "covered"; by: Element; scrolled: boolean};

/** Finds the point to press, scrolling only when it cannot be pressed where it is. Never waits for a frame. */
export function aim(element: Element, position: Point | undefined): Aim {
  const here = tryPoint(element, position);
  if (here.state === "hit") return {hit: true, point: here.point, scrolled: false};
  const places = positionsOf(element);
  let last: Try = here;
  for (const block of ["center", "start", "end", "nearest"] as const) {
    element.scrollIntoView({block, inline: block === "center" ? "nearest" : block, behavior: "instant"});
    newTurn();
    last = tryPoint(element, position);
    if (last.state === "hit") return {hit: true, point: last.point, scrolled: true};
    if (last.state === "outside" && block === "center" && isOffscreen(element)) break;
  }
  if (last.state === "covered") {
    // Nothing was gained, so the page is left as it was.
    if (here.state === "covered") restore(places);
    return {
      hit: false,
      why: "covered",
      by: here.state === "covered" ? here.by : last.by,
      scrolled: here.state !== "covered",
    };
  }
  return {hit: false, why: "offscreen", scrolled: true};
}

/** Whether a press on `hit` counts as one on the element: itself, what it shows, its label, its labelled control. */
export const reaches = (hit: Element, element: Element): boolean =>
  acceptedFor(element).some((accepted) => holds(accepted, hit));

export function acceptedFor(element: Element): Element[] {
  const control = isLabel(element) ? element.control : null;
  return [element, ...labelsOf(element), ...(control === null ? [] : [control])];
}

type Try = {state: "hit"; point: Point} | {state: "outside"} | {state: "covered"; by: Element};

function tryPoint(element: Element, position: Point | undefined): Try {
  const point = pointOn(element, position);
  if (point === null || point.x < 0 || point.y < 0 || point.x >= innerWidth || point.y >= innerHeight)
    return {state: "outside"};
  const hit = elementAt(point.x, point.y);
  if (hit === null) return {state: "outside"};
  if (reaches(hit, element)) return {state: "hit", point};
  return isClippedAt(element, point) ? {state: "outside"} : {state: "covered", by: hit};
}

/** The middle of its box, or of its largest part when it is broken over several lines. */
export function pointOn(element: Element, position: Point | undefined): Point | null {
  const box = boxOf(element);
  if (box === null) return null;
  if (position !== undefined) return {x: box.x + position.x, y: box.y + position.y};
  return middle(largestPart(element) ?? box);
}

function largestPart(element: Element): Box | null {
  const parts = Array.from(element.getClientRects()).filter((rect) => rect.width > 0 && rect.height > 0);
  if (parts.length < 2) return null;
  return parts.reduce((best, part) => (part.width * part.height > best.width * best.height ? part : best));
}

/** Whole pixels, as a mouse reports them; a box thinner than that is pressed where it is. */
function middle({x, y, width, height}: Box): Point {
  const centre = {x: x + width / 2, y: y + height / 2};
  return {x: width > 2 ? Math.floor(centre.x) : centre.x, y: height > 2 ? Math.floor(centre.y) : centre.y};
}

/** The point lies outside of what a scrolling or clipping ancestor shows. */
function isClippedAt(element: Element, point: Point): boolean {
  for (const at of lineageOf(element)) {
    if (at === element || at === document.documentElement || at === document.body) continue;
    if (!clips(styleOf(at))) continue;
    const {left, right, top, bottom} = at.getBoundingClientRect();
    if (point.x < left || point.x > right || point.y < top || point.y > bottom) return true;
  }
  return false;
}

interface Place {
  element: Element;
  left: number;
  top: number;
}

function positionsOf(element: Element): Place[] {
  const around = [...lineageOf(element)].filter(
    (at) => at.scrollHeight > at.clientHeight || at.scrollWidth > at.clientWidth,
  );
  const root = document.scrollingElement;
  if (root !== null && !around.includes(root)) around.push(root);
  return around.map((at) => ({element: at, left: at.scrollLeft, top: at.scrollTop}));
}

function restore(places: Place[]): void {
  for (const {element, left, top} of places) element.scrollTo({left, top, behavior: "instant"});
  newTurn();
}

/** The innermost element of a closed root that an event at a point is really for. */
export function innermostAt(target: Element, x: number, y: number): Element {
  return shadowRootOf(target) === null ? target : (elementAt(x, y, target) ?? target);
}
