// Which elements can be acted on: by role, or because they look as if they answered a click.
import {attr, has} from "./attributes.ts";
import {isEditableRoot, isFocusable, roleOf} from "./role.ts";
import {isControlRole} from "./roles.ts";
import {isHtmlElement, isLabel} from "./tags.ts";
import {closest, parentOf} from "./tree.ts";
import {oncePerTurn} from "./turn.ts";
import {styleOf} from "./visible.ts";

export const isControl = oncePerTurn((element: Element): boolean => isControlRole(roleOf(element)));

/** Not a control by role, and yet something one clicks: a handler, a place in the tab order, a hand for a pointer, or something to drag. */
export const isClickable = oncePerTurn((element: Element): boolean => {
  if (isControl(element) || element === document.body || element === document.documentElement) return false;
  if (has(element, "onclick") || attr(element, "draggable") === "true") return true;
  if (isFocusable(element) && element.localName !== "iframe" && tabIndexOf(element) >= 0)
    return !isScroller(element);
  if (styleOf(element).cursor !== "pointer") return false;
  // Only the outermost: the pointer's shape is inherited, so everything inside has it too.
  const parent = parentOf(element);
  if (parent === null || styleOf(parent).cursor === "pointer") return false;
  return !isLabelled(element) && !isInControl(element);
});

export const isActionable = (element: Element): boolean => isControl(element) || isClickable(element);

/** The element itself, or the nearest around it, that can be acted on; null when there is none. */
export function actionableAround(element: Element): Element | null {
  for (let at: Element | null = element; at !== null; at = parentOf(at)) if (isActionable(at)) return at;
  return null;
}

function isInControl(element: Element): boolean {
  for (let at = parentOf(element); at !== null; at = parentOf(at)) if (isControl(at)) return true;
  return false;
}

/** Inside a label that has a control: the control is what one acts on. */
function isLabelled(element: Element): boolean {
  const label = closest(element, "label");
  return isLabel(label) && label.control !== null;
}

const tabIndexOf = (element: Element): number => {
  if (isHtmlElement(element) || element instanceof SVGElement) return element.tabIndex;
  return isEditableRoot(element) ? 0 : -1;
};

/** A region in the tab order so that the keyboard can scroll it is nothing to click. */
const isScroller = (element: Element): boolean => {
  const {overflowX, overflowY} = styleOf(element);
  return [overflowX, overflowY].some((value) => value === "auto" || value === "scroll");
};
