// Whether an element is the kind of control that a purpose needs.

import type {Failure, Purpose} from "./contract.ts";
import {isActionable} from "./control.ts";
import {shownName, shownRole} from "./facts.ts";
import {fail} from "./fail.ts";
import {labelsOf} from "./name.ts";
import {isHtmlElement, isInput, isLabel, isSelect, isTextArea} from "./tags.ts";
import {checkedOf, isEditor} from "./values.ts";
import {isVisible} from "./visible.ts";

/** The element that the purpose is really about: a label stands for its control. */
export function controlFor(element: Element, purpose: Purpose): Element {
  if (!standsForControl.has(purpose)) return element;
  const label = isLabel(element) ? element : element.closest("label");
  if (isLabel(label) && label.control !== null && !(element !== label && isActionable(element)))
    return label.control;
  return element;
}

const standsForControl = new Set<Purpose>(["fill", "type", "press", "select", "check", "upload"]);

/** Null when it will do. */
export function wrongKind(element: Element, purpose: Purpose): Failure | null {
  const details = {details: {is: describeElement(element)}};
  switch (purpose) {
    case "fill":
      if (writeOf(element) !== null) return null;
      return fail("not_a_text_field", `${describeElement(element)} is nothing one can fill`, details);
    case "type":
      if (writeOf(element) !== null || takesKeys(element)) return null;
      return fail("not_a_text_field", `${describeElement(element)} is nothing one can type into`, details);
    case "check":
      if (checkedOf(element) !== null) return null;
      return fail(
        "not_checkable",
        `${describeElement(element)} is neither a checkbox, a radio button nor a switch`,
        details,
      );
    case "select":
      if (isSelect(element)) return null;
      return fail("not_a_select", `${describeElement(element)} is no native select`, details);
    case "upload":
      if (isFileInput(element) || isActionable(element)) return null;
      return fail("not_a_file_input", `${describeElement(element)} is no file input and opens none`, details);
    default:
      return null;
  }
}

export const isFileInput = (element: Element): element is HTMLInputElement =>
  isInput(element) && element.type === "file";

/** How a value gets into a control: typed over its content, or set; null when it holds no text. */
export function writeOf(element: Element): "insert" | "set" | null {
  if (isTextArea(element)) return "insert";
  if (isInput(element)) {
    if (setTypes.has(element.type)) return "set";
    return textTypes.has(element.type) ? "insert" : null;
  }
  return isHtmlElement(element) && (isEditor(element) || element.isContentEditable) ? "insert" : null;
}

/** Segmented and graphical fields, in which inserted text is lost or read in the locale's order. */
const setTypes = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);
const textTypes = new Set(["text", "search", "email", "tel", "url", "password", "number"]);

/** Things that listen to keys without holding text: a canvas editor, a game, a focusable widget. */
const takesKeys = (element: Element): boolean =>
  isHtmlElement(element) && !isInput(element) && element.tabIndex >= 0;

export const describeElement = (element: Element): string => {
  const name = shownName(element);
  const type = isInput(element) ? ` type=${element.type}` : "";
  return `${shownRole(element)}${name === "" ? "" : ` "${name}"`} (<${element.localName}${type}>)`;
};

/** Seen by a person, or a checkbox, radio button or file input under something styled that can be pressed instead. */
export const isReachable = (element: Element): boolean =>
  isVisible(element) || (isInput(element) && styled.has(element.type) && standInFor(element) !== null);

const styled = new Set(["checkbox", "radio", "file"]);
const pressable = "input,button,select,textarea,a[href],[role=button],[role=checkbox],[role=switch]";

/** What is pressed in place of a hidden control: its label, or a wrapper that holds nothing else to press. */
export function standInFor(element: Element): Element | null {
  const label = labelsOf(element).find(isVisible);
  if (label !== undefined) return label;
  let wrapper = element.parentElement;
  for (let steps = 0; wrapper !== null && wrapper !== document.body && steps < 3; steps++) {
    if (Array.from(wrapper.querySelectorAll(pressable)).some((control) => control !== element)) return null;
    if (isVisible(wrapper)) return wrapper;
    wrapper = wrapper.parentElement;
  }
  return null;
}
