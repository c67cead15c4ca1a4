// Prepare: resolve the target, check that it can be acted on, bring it under the pointer, arm the guard. One call,
// so that nothing of the page's runs in between; what changes afterwards the guard sees (spec 4.4).

import type {ErrorCode} from "../../shared/errors.ts";
import type {Failure, Outcome, Point, Prepared, PrepareRequest, Purpose} from "./contract.ts";
import {fail} from "./fail.ts";
import {takeFocus} from "./focus.ts";
import {arm, isLate} from "./guard.ts";
import {acceptedFor, aim, pointOn} from "./hit.ts";
import {
  controlFor,
  describeElement,
  isFileInput,
  isReachable,
  standInFor,
  writeOf,
  wrongKind,
} from "./kind.ts";
import {type Located, locate} from "./locate.ts";
import {areChosen, chosenOptions} from "./options.ts";
import {factsOf} from "./refs.ts";
import {movedDuring} from "./stable.ts";
import {isSelect} from "./tags.ts";
import {activeElement, isElement} from "./tree.ts";
import {newTurn} from "./turn.ts";
import {checkedOf, disabling, isReadOnly, stateOf} from "./values.ts";
import {hidingOf, isVisible} from "./visible.ts";

export async function prepare(request: PrepareRequest): Promise<Outcome<Prepared>> {
  const {target, purpose} = request;
  const located = target === null ? focusedOrBody() : locate(target, purpose);
  if (located.failed !== undefined) return located;
  const element = controlFor(located.element, purpose);
  const {pressed, failure} = check(element, request);
  if (failure !== null) return failure;
  const already = isAlready(element, request);
  if (isFailure(already)) return already;
  const aimed =
    pressed === null || already ? null : await aimAt(pressed, element, positionFor(request, pressed));
  if (aimed !== null && aimed.failed !== undefined) return aimed;
  const before = stateOf(element);
  const unfocused = already || target === null ? null : focusFor(element, purpose);
  if (unfocused !== null) return unfocused;
  const point = aimed?.point ?? null;
  if (request.gesture !== null && !already) arm(request.gesture, element, accepted(element, pressed), point);
  return {
    ...identified(located, element),
    point,
    before,
    scrolled: aimed?.scrolled ?? false,
    already,
    ...(purpose === "fill" && {write: writeOf(element) ?? "insert"}),
    late: isLate(),
  };
}

const isFailure = (value: boolean | Failure): value is Failure => typeof value === "object";

const identified = (located: Located, element: Element) => ({
  element: factsOf(element),
  strategy: located.strategy,
  candidates: located.candidates,
  rebound: located.rebound,
});

function focusedOrBody(): Located {
  const element = activeElement() ?? document.body ?? document.documentElement;
  return {element, strategy: "focused", candidates: 1, rebound: false};
}

/** A point target is pressed exactly there. */
function positionFor({target, position}: PrepareRequest, pressed: Element): Point | undefined {
  if (position !== undefined || target === null || "guess" in target || target.point === undefined)
    return position;
  const box = pressed.getBoundingClientRect();
  return {x: target.point.x - box.x, y: target.point.y - box.y};
}

const pressing = new Set<Purpose>(["click", "hover", "check", "upload", "scroll"]);

interface Checked {
  /** What will be under the pointer: the element, or what stands in for it; null when nothing is pressed. */
  pressed: Element | null;
  failure: Failure | null;
}

const failing = (failure: Failure): Checked => ({pressed: null, failure});

function check(element: Element, request: PrepareRequest): Checked {
  const {purpose, target} = request;
  if (purpose === "look" || (target === null && purpose !== "type")) return {pressed: null, failure: null};
  const wrong = wrongKind(element, purpose);
  if (wrong !== null) return failing(wrong);
  const pressed = pressing.has(purpose) ? pressedFor(element, purpose) : element;
  if (pressed === null) return failing(notVisible(element));
  const disabled = purpose === "scroll" || purpose === "hover" ? null : disabling(element);
  if (disabled !== null) return failing(notEnabled(element, disabled));
  if ((purpose === "fill" || purpose === "type") && isReadOnly(element)) {
    return failing(fail("not_editable", `${describeElement(element)} is read-only`));
  }
  const pressless = !pressing.has(purpose) || (purpose === "upload" && isFileInput(element));
  if (pressless && purpose !== "upload" && !isVisible(element)) return failing(notVisible(element));
  return {pressed: pressless ? null : pressed, failure: null};
}

function pressedFor(element: Element, purpose: Purpose): Element | null {
  if (isVisible(element) || (purpose === "upload" && isFileInput(element))) return element;
  const standsIn = (purpose === "check" || purpose === "click") && isReachable(element);
  return standsIn ? standInFor(element) : null;
}

function notVisible(element: Element): Failure {
  const {why, by, noBox} = hidingOf(element) ?? {why: "no box", by: element, noBox: true};
  return unfit("not_visible", element, `cannot be seen: ${why}`, by, {why, no_box: noBox});
}

const notEnabled = (element: Element, {why, by}: {why: string; by: Element}): Failure =>
  unfit("not_enabled", element, `is disabled: ${why}`, by, {why});

function unfit(
  code: ErrorCode,
  element: Element,
  what: string,
  by: Element,
  details: Record<string, unknown>,
): Failure {
  const itself = `${describeElement(element)} ${what}`;
  if (by === element) return fail(code, itself, {details});
  return fail(code, `${itself} of ${describeElement(by)}`, {details: {...details, by: describeElement(by)}});
}

/** True when the control is as it was asked to be; nothing needs to be sent then. */
function isAlready(element: Element, request: PrepareRequest): boolean | Failure {
  if (request.purpose === "check") return checkedOf(element) === (request.checked ?? true);
  if (request.purpose !== "select" || !isSelect(element)) return false;
  const chosen = chosenOptions(element, request.options ?? {});
  return chosen.failed === undefined ? areChosen(element, chosen.options) : chosen;
}

async function aimAt(
  pressed: Element,
  element: Element,
  position: Point | undefined,
): Promise<Outcome<{point: Point; scrolled: boolean}>> {
  const aimed = aimOnce(pressed, element, position);
  const moved = await movedDuring(pressed, () => pointOn(pressed, position));
  if (moved === null) return aimed;
  if (moved) return fail("not_stable", `${describeElement(element)} is moving`);
  // A moment has passed: what was true of the point before may not be now.
  newTurn();
  const again = aimOnce(pressed, element, position);
  if (again.failed !== undefined) return again;
  return {...again, scrolled: again.scrolled || (aimed.failed === undefined && aimed.scrolled)};
}

function aimOnce(
  pressed: Element,
  element: Element,
  position: Point | undefined,
): Outcome<{point: Point; scrolled: boolean}> {
  const aimed = aim(pressed, position);
  if (aimed.hit) return {point: aimed.point, scrolled: aimed.scrolled};
  if (aimed.why === "offscreen") {
    return fail(
      "not_visible",
      `${describeElement(element)} is outside of the viewport, and no scrolling brings it in`,
      {details: {why: "offscreen", no_box: false}},
    );
  }
  const blocker = factsOf(aimed.by);
  return fail("intercepted", `${describeElement(aimed.by)} covers ${describeElement(element)}`, {blocker});
}

const accepted = (element: Element, pressed: Element | null): Element[] =>
  [...acceptedFor(element), ...(pressed === null || pressed === element ? [] : [pressed])].filter(isElement);

/** Keys go to what has the focus: it is given, and seen to be taken, before anything is armed. */
function focusFor(element: Element, purpose: Purpose): Failure | null {
  if (purpose !== "fill" && purpose !== "type" && purpose !== "press") return null;
  const holder = takeFocus(element, purpose);
  newTurn();
  if (holder === "taken") return null;
  if (holder === null)
    return purpose === "press"
      ? null
      : fail("not_enabled", `${describeElement(element)} does not take the focus`);
  return fail("intercepted", `${describeElement(element)} gave the focus to ${describeElement(holder)}`, {
    blocker: factsOf(holder),
  });
}
