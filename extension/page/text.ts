// Text as a person would compare it: white space folded, case aside.

import {isInput} from "./tags.ts";
import {eachChild, isElement} from "./tree.ts";

/** White space folded to single blanks, invisible joiners dropped. */
export const fold = (text: string): string =>
  text
    .replace(/[\u200b\u200c\u2060\ufeff\u00ad]/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** Folded, and without regard to case. */
export const comparable = (text: string): string => fold(text).toLowerCase();

/** Whole unless `exact` is false. */
export function textMatcher(wanted: string, exact: boolean): (actual: string) => boolean {
  const goal = comparable(wanted);
  if (exact) return (actual) => comparable(actual) === goal;
  return (actual) => comparable(actual).includes(goal);
}

export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

const unread = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "head",
  "title",
  "meta",
  "link",
  "datalist",
]);
/** Elements whose content is no text of the page. */
export const isUnread = (element: Element): boolean => unread.has(element.localName);

/** Elements that stay on the line of the text around them; all others part words. Tag names, for speed. */
const inline = new Set(
  (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp slot small span " +
    "strike strong sub sup time tt u var wbr"
  ).split(" "),
);
export const isApart = (element: Element): boolean => !inline.has(element.localName);

/** The text of a button made by an input, and none of a field; null for elements whose text is their content. */
export const ownText = (element: Element): string | null =>
  element.localName === "textarea"
    ? ""
    : element.localName === "input" && isInput(element) && buttons.has(element.type)
      ? element.value
      : null;

const buttons = new Set(["button", "submit", "reset"]);

interface TextOptions {
  /** Elements whose text is left out. */
  skip?: ((element: Element) => boolean) | undefined;
  /** Enough characters. */
  limit?: number;
}

/** The text of an element and everything shown in it, hidden or not, folded. */
export function textOf(element: Element, options: TextOptions = {}): string {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  let text = "";
  const visit = (node: Node): void => {
    if (text.length > limit) return;
    if (node.nodeType === 3) text += node.nodeValue ?? "";
    if (!isElement(node) || isUnread(node) || options.skip?.(node) === true) return;
    const apart = isApart(node);
    if (apart) text += " ";
    const own = ownText(node);
    if (own === null) eachChild(node, visit);
    else text += own;
    if (apart) text += " ";
  };
  visit(element);
  const folded = fold(text);
  return folded.length > limit ? folded.slice(0, limit) : folded;
}

/** How alike two texts are, 0 to 1, by the pairs of letters they share. */
export function likeness(one: string, other: string): number {
  const left = comparable(one);
  const right = comparable(other);
  if (left === right) return 1;
  if (left.length < 2 || right.length < 2) return 0;
  const pairs = new Map<string, number>();
  for (let index = 0; index < left.length - 1; index++) {
    const pair = left.slice(index, index + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let index = 0; index < right.length - 1; index++) {
    const pair = right.slice(index, index + 2);
    const left_ = pairs.get(pair) ?? 0;
    if (left_ > 0) shared++;
    pairs.set(pair, left_ - 1);
  }
  const dice = (2 * shared) / (left.length + right.length - 2);
  return left.includes(right) || right.includes(left) ? Math.max(dice, 0.6) : dice;
}
