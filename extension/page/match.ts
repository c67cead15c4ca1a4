// The ways of naming an element (contract 2.6): each gives every element it matches, hidden ones too, in page order.
import {attr} from "./attributes.ts";
import {referenced} from "./author-name.ts";
import type {Failure, PageTarget} from "./contract.ts";
import {actionableAround, isActionable, isClickable, isControl} from "./control.ts";
import {keyText, shownName, shownRole} from "./facts.ts";
import {fail} from "./fail.ts";
import {isReachable} from "./kind.ts";
import {labelsOf} from "./name.ts";
import {roleOf} from "./role.ts";
import {isKeyedRole, isSilentRole} from "./roles.ts";
import {isLabel} from "./tags.ts";
import {comparable, textMatcher, textOf} from "./text.ts";
import {holdersOf} from "./text-index.ts";
import {elementAt, elementsIn, holds, inOrder, isElement, lineageOf, selectIn} from "./tree.ts";

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
  if (target.placeholder !== undefined)
    return found("placeholder", byPlaceholder(textMatcher(target.placeholder, exact), scope));
  if (target.text !== undefined) return found("text", byText(target.text, exact, scope));
  if (target.test_id !== undefined)
    return found("test_id", byTestId(textMatcher(target.test_id, exact), scope));
  if (target.alt !== undefined)
    return found("alt", byAttribute("alt", textMatcher(target.alt, exact), scope));
  if (target.title !== undefined)
    return found("title", byAttribute("title", textMatcher(target.title, exact), scope));
  if (target.css !== undefined) return byCss(target.css, scope);
  if (target.xpath !== undefined) return byXpath(target.xpath, scope);
  if (target.point !== undefined) {
    const at = elementAt(target.point.x, target.point.y);
    return found("point", at === null || (isElement(scope) && !holds(scope, at)) ? [] : [at]);
  }
  return fail(
    "invalid_target",
    "the target names no strategy; give one of role, label, placeholder, text, test_id, alt, title, css, xpath or point",
  );
}

const found = (strategy: string, elements: Element[]): Matches => ({strategy, elements});

/** A plain string: the first way of naming that matches anything a person can see wins. */
function guess(text: string, scope: Document | Element): Matches {
  const matches = textMatcher(text, true);
  const ways: [string, () => Element[]][] = [
    ["name", () => byName(text, matches, scope)],
    ["label", () => byLabel(matches, scope)],
    ["placeholder", () => byPlaceholder(matches, scope)],
    ["test_id", () => byTestId(matches, scope)],
    ["text", () => byText(text, true, scope)],
  ];
  let hidden: Matches | null = null;
  for (const [strategy, look] of ways) {
    const elements = look();
    if (elements.some(isReachable)) return found(strategy, elements);
    if (elements.length > 0) hidden ??= found(strategy, elements);
  }
  return hidden ?? found("name", []);
}

function byRole(
  wanted: string,
  name: string | undefined,
  exact: boolean,
  scope: Document | Element,
): Element[] {
  const role = wanted.trim().toLowerCase();
  const sought = role === "image" ? "img" : role === "presentation" ? "none" : role;
  const candidates = name === undefined ? elementsIn(scope) : candidatesFor(name, scope);
  const inRole = candidates.filter((element) =>
    sought === "clickable" ? isClickable(element) : roleOf(element) === sought,
  );
  if (name === undefined) return inRole;
  const named = textMatcher(name, exact);
  // Rows and list items have no names of their own; people call them by their text.
  const byContent = isKeyedRole(sought);
  return inRole.filter(
    (element) =>
      named(shownName(element)) || (byContent && (named(keyText(element)) || named(textOf(element)))),
  );
}

/** Pages smaller than this are searched whole: names made up by style sheets or split within words are found too. */
const smallPage = 3_000;
const naming = ["aria-label", "title", "alt", "placeholder", "aria-placeholder", "value", "label", "summary"];

/** The elements whose name could hold a text: around where its longest word stands, as text or in an attribute. */
function candidatesFor(name: string, scope: Document | Element): Element[] {
  if (elementsIn(scope).length < smallPage) return elementsIn(scope);
  const word = comparable(name)
    .split(" ")
    .reduce((longest, next) => (next.length >= longest.length ? next : longest), "");
  if (word === "") return elementsIn(scope);
  const quoted = CSS.escape(word);
  const attributes = naming.map((attribute) => `[${attribute}*="${quoted}" i]`).join(",");
  const candidates = new Set<Element>(
    selectIn(scope, `[aria-labelledby],[aria-owns],input[type=submit],input[type=reset],${attributes}`),
  );
  for (const holder of [...holdersOf(word, scope), ...candidates]) {
    for (const at of lineageOf(holder)) {
      if (candidates.has(at) && at !== holder) break;
      candidates.add(at);
      if (isLabel(at) && at.control !== null) candidates.add(at.control);
      if (at.localName === "legend" || at.localName === "caption") candidates.add(at.parentElement ?? at);
    }
  }
  return inOrder(candidates, scope);
}

/** By accessible name: of what can be acted on if any matches, else of headings, landmarks, images and the like. */
function byName(text: string, matches: Matcher, scope: Document | Element): Element[] {
  const named = candidatesFor(text, scope).filter(
    (element) => !isSilentRole(shownRole(element)) && matches(shownName(element)),
  );
  const controls = named.filter(isActionable);
  const visible = controls.filter(isReachable);
  if (visible.length === 0) return named;
  // A clickable wrapper named by the one control it holds is not a second candidate.
  return visible.filter(
    (element) => isControl(element) || !visible.some((other) => other !== element && holds(element, other)),
  );
}

function byLabel(matches: Matcher, scope: Document | Element): Element[] {
  return selectIn(scope, labelable).filter(
    (element) => isLabelable(element) && labelTexts(element).some(matches),
  );
}

const labelable = "input,select,textarea,button,meter,output,progress,[role],[contenteditable]";

const isLabelable = (element: Element): boolean => isControl(element) || labelsOf(element).length > 0;

function labelTexts(element: Element): string[] {
  const labels = labelsOf(element).map((label) => textOf(label, {skip: isField}));
  const pointed = referenced(element, "aria-labelledby").map((label) => textOf(label));
  const spoken = attr(element, "aria-label");
  const joined = pointed.length > 1 ? [pointed.join(" ")] : [];
  return [...labels, ...pointed, ...joined, ...(spoken === null ? [] : [spoken])].filter(
    (text) => text !== "",
  );
}

const isField = (element: Element): boolean =>
  ["input", "select", "textarea", "button"].includes(element.localName);

const byPlaceholder = (matches: Matcher, scope: Document | Element): Element[] =>
  byAttributes(["placeholder", "aria-placeholder"], matches, scope);

const testIds = ["data-testid", "data-test-id", "data-test"];

const byTestId = (matches: Matcher, scope: Document | Element): Element[] =>
  byAttributes(testIds, matches, scope);

const byAttribute = (name: string, matches: Matcher, scope: Document | Element): Element[] =>
  byAttributes([name], matches, scope);

function byAttributes(names: string[], matches: Matcher, scope: Document | Element): Element[] {
  return selectIn(scope, names.map((name) => `[${name}]`).join(",")).filter((element) =>
    names.some((name) => matches(attr(element, name) ?? "")),
  );
}

/** The innermost elements with the text; where such a one is all of a control's text, the control. */
export function byText(text: string, exact: boolean, scope: Document | Element): Element[] {
  const matches = textMatcher(text, exact);
  // Whole: whatever has just this text holds the holder, so only the holder itself can be the innermost.
  const holders = holdersOf(comparable(text), scope).filter((element) => !exact || matches(textOf(element)));
  const innermost = holders.filter(
    (element) => !holders.some((other) => other !== element && element.contains(other)),
  );
  return [...new Set(innermost.map((element) => liftToControl(element, matches)))];
}

function liftToControl(element: Element, matches: Matcher): Element {
  if (isLabel(element) && element.control !== null) return element;
  const control = actionableAround(element);
  return control !== null && matches(textOf(control)) ? control : element;
}

function byCss(selector: string, scope: Document | Element): Matches | Failure {
  try {
    document.createDocumentFragment().querySelector(selector);
  } catch {
    return fail("invalid_target", `not a CSS selector: ${selector}`, {details: {css: selector}});
  }
  // Each shadow root is searched by itself: a selector does not cross from one tree into another.
  return found("css", selectIn(scope, selector));
}

function byXpath(expression: string, scope: Document | Element): Matches | Failure {
  try {
    const result = document.evaluate(expression, scope, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
    const nodes = Array.from({length: result.snapshotLength}, (_, index) => result.snapshotItem(index));
    return found("xpath", nodes.filter(isElement));
  } catch {
    return fail("invalid_target", `not an XPath expression that yields elements: ${expression}`, {
      details: {xpath: expression},
    });
  }
}
