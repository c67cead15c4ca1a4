// Find: all matches of a target, or what comes closest to a few words; and the box of one element.
import type {ElementFacts} from "../../shared/result.ts";
import type {Box, FindRequest, Match, Outcome, PageTarget} from "./contract.ts";
import {isActionable} from "./control.ts";
import {shownName, shownRole} from "./facts.ts";
import {allMatches, locate, whereabouts} from "./locate.ts";
import {factsOf} from "./refs.ts";
import {clip, fold, likeness, textOf} from "./text.ts";
import {elementsIn} from "./tree.ts";
import {newTurn} from "./turn.ts";
import {disabling} from "./values.ts";
import {boxOf, hidingOf, isVisible} from "./visible.ts";

type Found = Outcome<{matches: Match[]; total: number}>;

export function find({target, query, limit}: FindRequest): Found {
  if (target !== undefined) {
    const matches = allMatches(target);
    if (matches.failed !== undefined) return matches;
    const {elements} = matches;
    const chosen = target.nth === undefined ? elements : elements.slice(target.nth, target.nth + 1);
    return {matches: chosen.slice(0, limit).map(matchOf), total: chosen.length};
  }
  if (query === undefined) return {failed: "missing_target", message: "give a target or a query"};
  const ranked = rank(query);
  return {matches: ranked.slice(0, limit).map(matchOf), total: ranked.length};
}

export function box({target}: {target: PageTarget}): Outcome<{element: ElementFacts; box: Box; devicePixelRatio: number}> {
  const located = locate(target);
  if (located.failed !== undefined) return located;
  const {element} = located;
  if (!isVisible(element)) {
    return {failed: "not_visible", message: `${shownRole(element)} "${shownName(element)}" cannot be seen: ${hidingOf(element)?.why ?? "no box"}`};
  }
  element.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
  newTurn();
  const shown = boxOf(element);
  if (shown === null) return {failed: "not_visible", message: `<${element.localName}> has no box`};
  return {element: factsOf(element), box: shown, devicePixelRatio};
}

function matchOf(element: Element): Match {
  const where = whereabouts(element);
  return {
    ...factsOf(element),
    box: boxOf(element),
    visible: isVisible(element),
    enabled: disabling(element) === null,
    ...(where !== "" && {where}),
  };
}

const nothing = new Set(["generic", "none", "document"]);
const enough = 0.35;

/** Every word counts, wherever it stands: in the role, the name, the text, the placeholder or the row. */
function rank(query: string): Element[] {
  const words = fold(query).toLowerCase().split(" ");
  const scored: {element: Element; score: number}[] = [];
  for (const element of elementsIn(document)) {
    const role = shownRole(element);
    if (nothing.has(role) || !isVisible(element)) continue;
    const score = scoreOf(element, role, query, words);
    if (score >= enough) scored.push({element, score});
  }
  scored.sort((one, other) => other.score - one.score);
  return scored.map(({element}) => element);
}

function scoreOf(element: Element, role: string, query: string, words: string[]): number {
  const name = shownName(element) || clip(textOf(element, {limit: 120}), 120);
  const described = `${name} ${element.getAttribute("placeholder") ?? ""} ${element.getAttribute("title") ?? ""}`.toLowerCase();
  const inName = words.filter((word) => described.includes(word)).length;
  const inRole = words.filter((word) => role.includes(word) || element.localName === word).length;
  if (inName === 0 && inRole === 0) return likeness(name, query) * 0.7;
  // Part of the words may say where it is: "delete order 1002".
  const missing = words.filter((word) => !described.includes(word) && !role.includes(word));
  const around = missing.length === 0 || inName + inRole === 0 ? "" : whereabouts(element).toLowerCase();
  const inPlace = missing.filter((word) => around.includes(word)).length;
  const covered = (inName + inRole * 0.8 + inPlace * 0.9) / words.length;
  return Math.min(covered, 1) * 0.7 + likeness(name, query) * 0.1 + (isActionable(element) ? 0.2 : 0);
}
