// What controls hold and in which state they are, for read-back and conditions. Secrets are redacted here.
import {attr, has} from "./attributes.ts";
import type {ControlState} from "./contract.ts";
import {isEditableRoot, roleOf} from "./role.ts";
import {isCheckableRole} from "./roles.ts";
import {shownValue} from "./secret.ts";
import {isHtmlElement, isInput, isSelect, isTextArea} from "./tags.ts";
import {activeElement, closest, holds, lineageOf} from "./tree.ts";

export function stateOf(element: Element): ControlState {
  const state: ControlState = {focused: isFocused(element), disabled: disabling(element) !== null};
  const value = valueOf(element);
  if (value !== null) state.value = shownValue(element, value);
  const checked = checkedOf(element);
  if (checked !== null) state.checked = checked;
  const selected = selectedOf(element);
  if (selected !== null) state.selected = selected;
  const expanded = expandedOf(element);
  if (expanded !== null) state.expanded = expanded;
  const pressed = triState(attr(element, "aria-pressed"));
  if (pressed !== null) state.pressed = pressed;
  return state;
}

/** The true value; null for what holds none. Callers show it through `shownValue`. */
export function valueOf(element: Element): string | null {
  if (isInput(element)) {
    if (valueless.has(element.type)) return null;
    if (element.type !== "file") return element.value;
    return Array.from(element.files ?? [], (file) => file.name).join(", ");
  }
  if (isTextArea(element) || isSelect(element)) return element.value;
  if (isHtmlElement(element) && isEditor(element)) return editorText(element);
  if (has(element, "aria-valuetext")) return attr(element, "aria-valuetext");
  return has(element, "aria-valuenow") ? attr(element, "aria-valuenow") : null;
}

const valueless = new Set(["checkbox", "radio", "button", "submit", "reset", "image", "hidden"]);

/** An element whose text the person edits: a contenteditable root, or document.designMode's body. */
export const isEditor = (element: Element): boolean =>
  isHtmlElement(element) &&
  element.isContentEditable &&
  (isEditableRoot(element) || element === document.body || roleOf(element) === "textbox");

/** Paragraphs count as lines; the line break that every editor keeps at its end does not. */
const editorText = (element: HTMLElement): string =>
  element.innerText
    .replace(/\u00a0/g, " ")
    .replace(/\n\n/g, "\n")
    .replace(/\n+$/, "");

export function checkedOf(element: Element): boolean | "mixed" | null {
  if (isInput(element) && (element.type === "checkbox" || element.type === "radio")) {
    return element.indeterminate ? "mixed" : element.checked;
  }
  if (!isCheckableRole(roleOf(element))) return null;
  return triState(attr(element, "aria-checked")) ?? false;
}

function selectedOf(element: Element): string[] | null {
  if (isSelect(element)) return Array.from(element.selectedOptions, labelOf);
  if (roleOf(element) !== "listbox") return null;
  return Array.from(element.querySelectorAll('[role="option"][aria-selected="true"]'), (option) =>
    (option.textContent ?? "").trim(),
  );
}

export const labelOf = (option: HTMLOptionElement): string => option.label.replace(/\s+/g, " ").trim();

export function expandedOf(element: Element): boolean | null {
  const attribute = attr(element, "aria-expanded");
  if (attribute === "true" || attribute === "false") return attribute === "true";
  if (element.localName === "summary" && element.parentElement instanceof HTMLDetailsElement)
    return element.parentElement.open;
  return null;
}

export const triState = (value: string | null): boolean | "mixed" | null => {
  if (value === "mixed") return "mixed";
  if (value === "true") return true;
  return value === "false" ? false : null;
};

export function isFocused(element: Element): boolean {
  const active = activeElement();
  if (active === null) return false;
  return (
    active === element ||
    (isEditor(element) && holds(element, active)) ||
    (element.shadowRoot?.activeElement !== undefined && element.shadowRoot?.activeElement !== null)
  );
}

/** What disables an element; null when nothing does. */
export function disabling(element: Element): {why: string; by: Element} | null {
  if (element.matches(":disabled")) {
    if (has(element, "disabled")) return {why: "disabled", by: element};
    return {
      why: "a disabled fieldset",
      by: closest(element, "fieldset[disabled]") ?? closest(element, ":disabled") ?? element,
    };
  }
  for (const at of lineageOf(element)) {
    if (attr(at, "aria-disabled") === "true") return {why: "aria-disabled", by: at};
    if (has(at, "inert")) return {why: "inert", by: at};
  }
  return null;
}

export function isReadOnly(element: Element): boolean {
  if (isInput(element) || isTextArea(element)) {
    if (element.readOnly) return true;
  }
  return attr(element, "aria-readonly") === "true";
}
