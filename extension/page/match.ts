// The ways of naming an element (contract 2.6): each gives every element it matches, hidden ones too, in page order.
import type {Failure, PageTarget} from "./contract.ts";
import {referenced} from "./author-name.ts";
import {actionableAround, isActionable, isControl} from "./control.ts";
import {keyRoles, keyText, shownName, shownRole} from "./facts.ts";
import {isReachable} from "./kind.ts";
import {labelsOf} from "./name.ts";
import {roleOf} from "./role.ts";
import {textMatcher, textOf} from "./text.ts";
import {childrenOf, elementAt, elementsIn, holds, isElement, rootsIn} from "./tree.ts";

export interface Matches {
  elements: Element[];
  strategy: string;
  failed?: undefined;
}

type Matcher = (text: string) => boolean;

/** Everything a target matches inside `scope`, before `nth`. A ref is not looked up here. */
export function matchesOf(target: PageTarget, scope: Document | Element): Matches | Failure {
  if ("guess" in target) return guess(target.guess, scope);
  const exact = target.exact ?? true;
  if (target.role !== undefined) return found("role", byRole(target.role, target.name, exact, scope));
  if (target.label !== undefined) return found("label", byLabel(textMatcher(target.label, exact), scope));
  if (target.placeholder !== undefined) return found("placeholder", byPlaceholder(textMatcher(target.placeholder, exact), scope));
  if (target.text !== undefined) return found("text", byText(textMatcher(target.text, exact), textMatcher(target.text, false), scope));
  if (target.test_id !== undefined) return found("test_id", byTestId(textMatcher(target.test_id, exact), scope));
  if (target.alt !== undefined) return found("alt", byAttribute("alt", textMatcher(target.alt, exact), scope));
  if (target.title !== undefined) return found("title", byAttribute("title", textMatcher(target.title, exact), scope));
  if (target.css !== undefined) return byCss(target.css, scope);
  if (target.xpath !== undefined) return byXpath(target.xpath, scope);
  if (target.point !== undefined) {
    const at = elementAt(target.point.x, target.point.y);
    return found("point", at === null || (isElement(scope) && !holds(scope, at)) ? [] : [at]);
  }
  return {failed: "invalid_target", message: "the target names no strategy; give one of role, label, placeholder, text, test_id, alt, title, css, xpath or point"};
}

const found = (strategy: string, elements: Element[]): Matches => ({strategy, elements});

/** A plain string: the first way of naming that matches anything a person can see wins. */
function guess(text: string, scope: Document | Element): Matches {
  const matches = textMatcher(text, true);
  const ways: [string, () => Element[]][] = [
    ["name", () => byName(matches, scope)],
    ["label", () => byLabel(matches, scope)],
    ["placeholder", () => byPlaceholder(matches, scope)],
    ["test_id", () => byTestId(matches, scope)],
    ["text", () => byText(matches, textMatcher(text, false), scope)],
  ];
  let hidden: Matches | null = null;
  for (const [strategy, look] of ways) {
    const elements = look();
    if (elements.some(isReachable)) return found(strategy, elements);
    if (elements.length > 0) hidden ??= found(strategy, elements);
  }
  return hidden ?? found("name", []);
}

function byRole(wanted: string, name: string | undefined, exact: boolean, scope: Document | Element): Element[] {
  const role = wanted.trim().toLowerCase();
  const named = name === undefined ? null : textMatcher(name, exact);
  const sought = role === "image" ? "img" : role === "presentation" ? "none" : role;
  return elementsIn(scope).filter((element) => {
    if (shownRole(element) !== sought && roleOf(element) !== sought) return false;
    if (named === null || named(shownName(element))) return true;
    // Rows and list items have no names of their own; people call them by their text.
    return keyRoles.has(sought) && (named(keyText(element)) || named(textOf(element)));
  });
}

const nameless = new Set(["generic", "none", "paragraph", "document"]);

/** By accessible name: of what can be acted on if any matches, else of headings, landmarks, images and the like. */
function byName(matches: Matcher, scope: Document | Element): Element[] {
  const named = elementsIn(scope).filter((element) => !nameless.has(shownRole(element)) && matches(shownName(element)));
  const controls = named.filter(isActionable);
  const visible = controls.filter(isReachable);
  if (visible.length === 0) return named;
  // A clickable wrapper named by the one control it holds is not a second candidate.
  return visible.filter((element) => isControl(element) || !visible.some((other) => other !== element && holds(element, other)));
}

function byLabel(matches: Matcher, scope: Document | Element): Element[] {
  return elementsIn(scope).filter((element) => isLabelable(element) && labelTexts(element).some(matches));
}

const isLabelable = (element: Element): boolean => isControl(element) || labelsOf(element).length > 0;

function labelTexts(element: Element): string[] {
  const labels = labelsOf(element).map((label) => textOf(label, {skip: isField}));
  const pointed = referenced(element, "aria-labelledby").map((label) => textOf(label));
  const spoken = element.getAttribute("aria-label");
  const joined = pointed.length > 1 ? [pointed.join(" ")] : [];
  return [...labels, ...pointed, ...joined, ...(spoken === null ? [] : [spoken])].filter((text) => text !== "");
}

const isField = (element: Element): boolean => ["input", "select", "textarea", "button"].includes(element.localName);

function byPlaceholder(matches: Matcher, scope: Document | Element): Element[] {
  return elementsIn(scope).filter((element) => {
    const text = element.getAttribute("placeholder") ?? element.getAttribute("aria-placeholder");
    return text !== null && matches(text);
  });
}

const testIds = ["data-testid", "data-test-id", "data-test"];

const byTestId = (matches: Matcher, scope: Document | Element): Element[] =>
  elementsIn(scope).filter((element) => testIds.some((name) => matchesAttribute(element, name, matches)));

const byAttribute = (name: string, matches: Matcher, scope: Document | Element): Element[] =>
  elementsIn(scope).filter((element) => matchesAttribute(element, name, matches));

function matchesAttribute(element: Element, name: string, matches: Matcher): boolean {
  const value = element.getAttribute(name);
  return value !== null && matches(value);
}

/** The innermost elements with the text; where such a one is all of a control's text, the control. */
export function byText(matches: Matcher, includes: Matcher, scope: Document | Element): Element[] {
  const innermost: Element[] = [];
  const visit = (element: Element): boolean => {
    if (!includes(textOf(element))) return false;
    let inside = false;
    const children = childrenOf(element);
    for (let index = 0; index < children.length; index++) {
      const child = children[index];
      if (isElement(child) && visit(child)) inside = true;
    }
    if (inside) return true;
    if (!matches(textOf(element))) return false;
    innermost.push(element);
    return true;
  };
  const top = isElement(scope) ? scope : document.body;
  if (top !== null) visit(top);
  const lifted = innermost.map((element) => liftToControl(element, matches));
  return [...new Set(lifted)];
}

function liftToControl(element: Element, matches: Matcher): Element {
  if (element instanceof HTMLLabelElement && element.control !== null) return element;
  const control = actionableAround(element);
  return control !== null && matches(textOf(control)) ? control : element;
}

function byCss(selector: string, scope: Document | Element): Matches | Failure {
  try {
    document.createDocumentFragment().querySelector(selector);
  } catch {
    return {failed: "invalid_target", message: `not a CSS selector: ${selector}`, data: {details: {css: selector}}};
  }
  // Each shadow root is searched by itself: a selector does not cross from one tree into another.
  const elements = new Set(rootsIn(scope).flatMap((root) => Array.from(root.querySelectorAll(selector))));
  const order = elements.size > 1 ? elementsIn(scope).filter((element) => elements.has(element)) : [...elements];
  return found("css", order);
}

function byXpath(expression: string, scope: Document | Element): Matches | Failure {
  try {
    const result = document.evaluate(expression, scope, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
    const nodes = Array.from({length: result.snapshotLength}, (_, index) => result.snapshotItem(index));
    return found("xpath", nodes.filter(isElement));
  } catch {
    return {failed: "invalid_target", message: `not an XPath expression that yields elements: ${expression}`, data: {details: {xpath: expression}}};
  }
}
