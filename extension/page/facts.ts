// What an element stands for: its role and name as Sublet shows them, and the row, list item, option or article it
// belongs to. Lists recycle their elements, so the same node can come to stand for something else.
import {attr, has} from "./attributes.ts";
import {isClickable} from "./control.ts";
import {nameOf} from "./name.ts";
import {roleOf} from "./role.ts";
import {isKeyedRole} from "./roles.ts";
import {clip, textOf} from "./text.ts";
import {isHtml, lineageOf} from "./tree.ts";
import {oncePerTurn} from "./turn.ts";

export interface Meaning {
  role: string;
  name: string;
  /** The text of the nearest row, list item, option or article; "" outside of any. */
  key: string;
}

export const meaningOf = oncePerTurn(
  (element: Element): Meaning => ({role: shownRole(element), name: shownName(element), key: keyOf(element)}),
);

export const sameMeaning = (one: Meaning, other: Meaning): boolean =>
  one.role === other.role && one.name === other.name && one.key === other.key;

export const shownRole = oncePerTurn((element: Element): string => {
  const role = roleOf(element);
  if (role !== "generic" && role !== "none" && role !== "paragraph") return role;
  if (isClickable(element)) return "clickable";
  return role === "none" ? "generic" : role;
});

export const shownName = oncePerTurn((element: Element): string => {
  const name = nameOf(element);
  if (name !== "" || shownRole(element) !== "clickable") return clip(name, 300);
  return clip(textOf(element, {limit: 200}), 80) || titleInside(element);
});

const titleInside = (element: Element): string => {
  const titled = element.querySelector("[title],[alt],[aria-label]");
  return (
    titled?.getAttribute("aria-label") ?? titled?.getAttribute("title") ?? titled?.getAttribute("alt") ?? ""
  );
};

const keyLength = 160;

function keyOf(element: Element): string {
  for (const at of lineageOf(element)) if (isKeyedRole(roleOf(at))) return keyText(at);
  return "";
}

/** Text of its controls changes as they are used ("Like 5"), so it counts only where there is no other. */
export const keyText = oncePerTurn((keyed: Element): string => {
  const text = textOf(keyed, {limit: keyLength, skip: (element) => element !== keyed && isVolatile(element)});
  return text === "" ? textOf(keyed, {limit: keyLength}) : text;
});

const volatileTags = new Set([
  "button",
  "input",
  "select",
  "textarea",
  "time",
  "progress",
  "meter",
  "output",
]);
const isVolatile = (element: Element): boolean =>
  (isHtml(element) && volatileTags.has(element.localName)) ||
  attr(element, "role") === "button" ||
  has(element, "aria-live");
