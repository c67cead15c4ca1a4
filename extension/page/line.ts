// One element as a line: role, name, ref, states, value.
import {attr} from "./attributes.ts";
import {isActionable, isControl} from "./control.ts";
import {shownName, shownRole} from "./facts.ts";
import {labelsOf} from "./name.ts";
import {refOf} from "./refs.ts";
import {isLandmarkRole} from "./roles.ts";
import {shownValue} from "./secret.ts";
import {isInput, isLabel, isSelect} from "./tags.ts";
import {clip, fold} from "./text.ts";
import {
  checkedOf,
  disabling,
  expandedOf,
  isFocused,
  isReadOnly,
  labelOf,
  triState,
  valueOf,
} from "./values.ts";
import {isOffscreen} from "./visible.ts";

const nameLength = 160;
const valueLength = 200;

export interface LineParts {
  text: string;
  /** Null: the line names no ref. */
  ref: string | null;
}

export function lineOf(element: Element, named: boolean): LineParts {
  const role = shownRole(element);
  const actionable = isActionable(element);
  const ref = actionable || isLandmarkRole(role) ? refOf(element) : null;
  const name = named ? shownName(element) : "";
  const states = statesOf(element, role, actionable);
  const value = valueShown(element, role);
  const text = [
    role,
    name === "" ? "" : ` ${quoted(name)}`,
    ref === null ? "" : ` [ref=${ref}]`,
    states.map((state) => ` [${state}]`).join(""),
    value === "" ? "" : `: ${value}`,
    value === "" ? urlOf(element, role) : "",
  ].join("");
  return {text, ref};
}

/** A few of a select's options, so that one can be named without opening it. */
export function optionsLine(element: Element): string | null {
  if (!isSelect(element) || element.options.length === 0) return null;
  const shown = Array.from(element.options)
    .slice(0, 12)
    .map((option) => clip(labelOf(option), 40));
  const more = element.options.length - shown.length;
  return `options: ${shown.join(" | ")}${more > 0 ? ` | … ${more} more` : ""}`;
}

const quoted = (name: string): string => `"${clip(name, nameLength).replace(/(["\\])/g, "\\$1")}"`;

function statesOf(element: Element, role: string, actionable: boolean): string[] {
  const states: string[] = [];
  if (role === "heading") states.push(`level=${levelOf(element)}`);
  const checked = checkedOf(element);
  if (checked !== null && checked !== false) states.push(checked === "mixed" ? "checked=mixed" : "checked");
  const expanded = expandedOf(element);
  if (expanded !== null) states.push(expanded ? "expanded" : "expanded=false");
  const pressed = triState(attr(element, "aria-pressed"));
  if (pressed !== null && pressed !== false) states.push(pressed === "mixed" ? "pressed=mixed" : "pressed");
  if (isSelected(element)) states.push("selected");
  if (attr(element, "aria-current") && attr(element, "aria-current") !== "false") states.push("current");
  if (!actionable) return states;
  if (disabling(element) !== null) states.push("disabled");
  if (isRequired(element)) states.push("required");
  if (isField(role) && isReadOnly(element)) states.push("readonly");
  if (attr(element, "aria-invalid") === "true") states.push("invalid");
  if (isFocused(element)) states.push("focused");
  if (!isControl(element) && role !== "clickable") states.push("clickable");
  if (attr(element, "draggable") === "true") states.push("draggable");
  if (isOffscreen(element)) states.push("offscreen");
  return states;
}

function levelOf(element: Element): number {
  const level = Number(attr(element, "aria-level"));
  if (Number.isInteger(level) && level > 0) return level;
  return /^h[1-6]$/.test(element.localName) ? Number(element.localName[1]) : 2;
}

const isSelected = (element: Element): boolean => {
  if (element instanceof HTMLOptionElement) return element.selected;
  return attr(element, "aria-selected") === "true";
};

const isRequired = (element: Element): boolean =>
  attr(element, "aria-required") === "true" || (element as HTMLInputElement).required === true;

const isField = (role: string): boolean =>
  role === "textbox" || role === "searchbox" || role === "spinbutton";

function valueShown(element: Element, role: string): string {
  if (isSelect(element)) {
    return clip(Array.from(element.selectedOptions, labelOf).join(", "), valueLength);
  }
  if (role === "option") return "";
  const value = valueOf(element);
  return value === null ? "" : clip(fold(shownValue(element, value)), valueLength);
}

const urlLength = 40;

/** Where a link goes, while that is short. */
function urlOf(element: Element, role: string): string {
  if (role !== "link" || !(element instanceof HTMLAnchorElement)) return "";
  const raw = attr(element, "href") ?? "";
  const url =
    element.origin === location.origin && element.origin !== "null"
      ? `${element.pathname}${element.search}${element.hash}`
      : raw;
  return url === "" || url === "#" || url.length > urlLength || url.startsWith("javascript:")
    ? ""
    : ` /url: ${url}`;
}

/** A label whose own control cannot be seen: the styled checkbox. The control is what the line is about. */
export function hiddenControlOf(element: Element, isVisible: (at: Element) => boolean): Element | null {
  if (!isLabel(element)) return null;
  const {control} = element;
  if (!isInput(control) || isVisible(control)) return null;
  return ["checkbox", "radio", "file"].includes(control.type) && labelsOf(control)[0] === element
    ? control
    : null;
}
