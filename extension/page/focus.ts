// Giving a control the focus, with its content selected (to fill) or the caret at its end (to type).
import {writeOf} from "./kind.ts";
import {isHtmlElement, isInput, isTextArea} from "./tags.ts";
import {activeElement, holds} from "./tree.ts";

/** "taken", or who has it instead; null when nothing has. */
export function takeFocus(element: Element, purpose: "fill" | "type" | "press"): "taken" | Element | null {
  const had = hasFocus(element);
  if (!had && (isHtmlElement(element) || element instanceof SVGElement)) {
    element.focus({preventScroll: isInView(element)});
  }
  if (!hasFocus(element)) return activeElement();
  if (writeOf(element) !== "insert") return "taken";
  if (purpose === "fill") selectAll(element);
  else if (purpose === "type" && !had) caretToEnd(element);
  return "taken";
}

export function hasFocus(element: Element): boolean {
  const active = activeElement();
  if (active === null) return element === document.body || element === document.documentElement;
  return (
    holds(element, active) || (isHtmlElement(element) && element.isContentEditable && holds(active, element))
  );
}

const isInView = (element: Element): boolean => {
  const {top, bottom, left, right} = element.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
};

function selectAll(element: Element): void {
  if (isInput(element) || isTextArea(element)) return element.select();
  const selection = getSelection();
  // An editor made of paragraphs keeps them only when its content is selected, not itself.
  selection?.setBaseAndExtent(element, 0, element, element.childNodes.length);
}

function caretToEnd(element: Element): void {
  if (isTextArea(element)) return element.setSelectionRange(element.value.length, element.value.length);
  if (isInput(element)) {
    // Number and e-mail fields have no selection range to set; theirs is left where the browser put it.
    if (element.selectionStart !== null)
      element.setSelectionRange(element.value.length, element.value.length);
    return;
  }
  getSelection()?.selectAllChildren(element);
  getSelection()?.collapseToEnd();
}
