// From a target to the one element it names, or the reason why there is no such one.

import type {Failure, PageTarget, Purpose} from "./contract.ts";
import {isActionable} from "./control.ts";
import {keyText, shownName} from "./facts.ts";
import {fail} from "./fail.ts";
import {isReachable} from "./kind.ts";
import {type Matches, matchesOf} from "./match.ts";
import {dereference, factsOf} from "./refs.ts";
import {roleOf} from "./role.ts";
import {isKeyedRole, isPlaceRole} from "./roles.ts";
import {isInput} from "./tags.ts";
import {likeness} from "./text.ts";
import {holds, lineageOf, selectIn} from "./tree.ts";
import {checkedOf, isEditor} from "./values.ts";
import {isVisible} from "./visible.ts";

export interface Located {
  element: Element;
  strategy: string;
  /** How many matched before narrowing. */
  candidates: number;
  rebound: boolean;
  failed?: undefined;
}

/** Of plain strings, only what suits the purpose counts, if anything does. */
export function locate(target: PageTarget, purpose: Purpose = "look"): Located | Failure {
  if (!("guess" in target) && target.ref !== undefined) return locateRef(target.ref, target.within);
  const all = allMatches(target);
  if (all.failed !== undefined) return all;
  const {strategy} = all;
  const candidates = all.elements.length;
  if (candidates === 0) return notFound(target);
  const counted = "guess" in target ? suited(all.elements, purpose) : all.elements;
  const chosen = target.nth === undefined ? counted[0] : counted[target.nth];
  if (target.nth === undefined && counted.length > 1) return ambiguous(target, counted);
  if (chosen === undefined)
    return notFound(target, `only ${counted.length} matched ${describeTarget(target)}`);
  return {element: chosen, strategy, candidates, rebound: false};
}

/** Every element a target matches: the visible ones, or all when none is visible. */
export function allMatches(target: PageTarget): Matches | Failure {
  if (!("guess" in target) && target.ref !== undefined) {
    const one = locateRef(target.ref, target.within);
    return one.failed === undefined ? {elements: [one.element], strategy: "ref"} : one;
  }
  const scope = scopeOf(target.within);
  if (scope.failed !== undefined) return scope;
  const matches = matchesOf(target, scope.scope);
  if (matches.failed !== undefined) return matches;
  const visible = matches.elements.filter(isReachable);
  return {...matches, elements: visible.length > 0 ? visible : matches.elements};
}

function scopeOf(within: PageTarget | undefined): {scope: Document | Element; failed?: undefined} | Failure {
  if (within === undefined) return {scope: document};
  const outer = locate(within);
  return outer.failed === undefined ? {scope: outer.element} : outer;
}

function locateRef(ref: string, within: PageTarget | undefined): Located | Failure {
  const found = dereference(ref);
  if (found.failed !== undefined) return found;
  const scope = scopeOf(within);
  if (scope.failed !== undefined) return scope;
  if (scope.scope instanceof Element && !holds(scope.scope, found.element)) {
    return fail("not_found", `${ref} is not inside ${describeTarget(within ?? {guess: ""})}`);
  }
  return {element: found.element, strategy: "ref", candidates: 1, rebound: found.rebound};
}

function suited(elements: Element[], purpose: Purpose): Element[] {
  if (elements.length < 2) return elements;
  const suits = suitability[purpose];
  const fitting = suits === undefined ? elements : elements.filter(suits);
  return fitting.length > 0 ? fitting : elements;
}

const suitability: Partial<Record<Purpose, (element: Element) => boolean>> = {
  click: isActionable,
  fill: (element) =>
    isEditor(element) ||
    ["textbox", "searchbox", "spinbutton", "combobox", "slider"].includes(roleOf(element)),
  type: (element) =>
    isEditor(element) || ["textbox", "searchbox", "spinbutton", "combobox"].includes(roleOf(element)),
  select: (element) => element.localName === "select",
  check: (element) => checkedOf(element) !== null,
  upload: (element) => isInput(element) && element.type === "file",
};

const shownCandidates = 10;

function ambiguous(target: PageTarget, elements: Element[]): Failure {
  const candidates = elements
    .slice(0, shownCandidates)
    .map((element) => ({...factsOf(element), where: whereabouts(element)}));
  return fail("selector_ambiguous", `${elements.length} elements match ${describeTarget(target)}`, {
    candidates,
  });
}

/** Where an element is, in the words of what is around it: `row "Beta"`, `dialog "Settings"`. */
export function whereabouts(element: Element): string {
  const around: string[] = [];
  for (const at of lineageOf(element)) {
    if (at === element || !isPlaceRole(roleOf(at))) continue;
    const name = shownName(at) || (isKeyedRole(roleOf(at)) ? keyText(at) : "");
    if (name !== "") around.push(`${roleOf(at)} "${name.slice(0, 80)}"`);
    else if (around.length === 0 && ["banner", "contentinfo", "main", "navigation"].includes(roleOf(at)))
      around.push(roleOf(at));
    if (around.length === 2) break;
  }
  return around.join(" in ");
}

/** Nothing matched: the nearest names may be what was meant. */
function notFound(target: PageTarget, message = `nothing matches ${describeTarget(target)}`): Failure {
  const wanted = wordsOf(target);
  const candidates = wanted === "" ? [] : nearest(wanted).map(factsOf);
  return fail("not_found", message, {candidates});
}

const scanned = 300;
const controls = "a,button,input,select,textarea,summary,[role],[onclick],[tabindex]";

function nearest(wanted: string): Element[] {
  const scored = selectIn(document, controls)
    .slice(0, scanned * 2)
    .filter((element) => isActionable(element) && isVisible(element))
    .slice(0, scanned)
    .map((element) => ({element, score: likeness(shownName(element), wanted)}))
    .filter(({score}) => score >= 0.3);
  scored.sort((one, other) => other.score - one.score);
  return scored.slice(0, 5).map(({element}) => element);
}

const wordsOf = (target: PageTarget): string =>
  "guess" in target
    ? target.guess
    : (target.name ?? target.label ?? target.placeholder ?? target.text ?? target.title ?? target.alt ?? "");

/** The target in a few words, for messages. */
export function describeTarget(target: PageTarget): string {
  if ("guess" in target) return `"${target.guess}"`;
  if (target.role !== undefined)
    return `${target.role}${target.name === undefined ? "" : ` "${target.name}"`}`;
  if (target.point !== undefined) return `point (${target.point.x}, ${target.point.y})`;
  for (const key of [
    "ref",
    "label",
    "placeholder",
    "text",
    "test_id",
    "alt",
    "title",
    "css",
    "xpath",
  ] as const) {
    if (target[key] !== undefined) return key === "ref" ? `${target[key]}` : `${key} "${target[key]}"`;
  }
  return "the target";
}
