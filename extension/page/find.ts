// Find: all matches of a target, or what comes closest to a few words; and the box of one element.

import type {ElementFacts} from "../../shared/result.ts";
import {attr} from "./attributes.ts";
import type {Box, FindRequest, Match, Outcome, PageTarget} from "./contract.ts";
import {isActionable} from "./control.ts";
import {shownName, shownRole} from "./facts.ts";
import {fail} from "./fail.ts";
import {allMatches, locate, whereabouts} from "./locate.ts";
import {factsOf} from "./refs.ts";
import {isSilentRole} from "./roles.ts";
import {fold, likeness, textOf} from "./text.ts";
import {selectIn} from "./tree.ts";
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
  if (query === undefined) return fail("missing_target", "give a target or a query");
  const best = rank(query);
  return {matches: best.slice(0, limit).map(matchOf), total: best.length};
}

export function box({
  target,
}: {
  target: PageTarget;
}): Outcome<{element: ElementFacts; box: Box; devicePixelRatio: number}> {
  const located = locate(target);
  if (located.failed !== undefined) return located;
  const {element} = located;
  if (!isVisible(element)) {
    return fail(
      "not_visible",
      `${shownRole(element)} "${shownName(element)}" cannot be seen: ${hidingOf(element)?.why ?? "no box"}`,
    );
  }
  element.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
  newTurn();
  const shown = boxOf(element);
  if (shown === null) return fail("not_visible", `<${element.localName}> has no box`);
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

const ranked =
  "a,button,input,select,textarea,summary,h1,h2,h3,h4,h5,h6,li,tr,img,nav,main,form,dialog,[role],[onclick],[tabindex],[contenteditable],[style*=cursor]";
const enough = 0.35;
/** Of so many of the best it is asked whether they can be seen. */
const looked = 200;

/** Every word counts, wherever it stands: in the role, the name, the text, the placeholder or the row. */
function rank(query: string): Element[] {
  const words = fold(query).toLowerCase().split(" ");
  const scored: {element: Element; score: number}[] = [];
  for (const element of selectIn(document, ranked)) {
    const role = shownRole(element);
    const score = isSilentRole(role) ? 0 : scoreOf(element, role, query, words);
    if (score >= enough) scored.push({element, score});
  }
  scored.sort((one, other) => other.score - one.score);
  return scored
    .slice(0, looked)
    .map(({element}) => element)
    .filter(isVisible);
}

function scoreOf(element: Element, role: string, query: string, words: string[]): number {
  const name = shownName(element) || textOf(element, {limit: 120});
  const described =
    `${name} ${attr(element, "placeholder") ?? ""} ${attr(element, "title") ?? ""}`.toLowerCase();
  const missing = words.filter((word) => !described.includes(word));
  const inRole = missing.filter((word) => role.includes(word) || element.localName === word).length;
  if (missing.length === words.length && inRole === 0) return likeness(name, query) * 0.7;
  // Some of the words may say where it is: "delete order 1002".
  const around = missing.length === inRole ? "" : whereabouts(element).toLowerCase();
  const inPlace = missing.filter((word) => around.includes(word)).length;
  const covered = (words.length - missing.length + inRole * 0.8 + inPlace * 0.9) / words.length;
  return (
    Math.min(covered, 1) * 0.7 +
    (fold(name).toLowerCase() === query.toLowerCase() ? 0.1 : 0) +
    (isActionable(element) ? 0.2 : 0)
  );
}
