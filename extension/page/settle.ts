// What came of a gesture: what the guard saw, and the state the control is in now.

import type {ActRequest, Failure, GuardRecord, Outcome, Settled, SettleRequest} from "./contract.ts";
import {fail} from "./fail.ts";
import {disarm} from "./guard.ts";
import {areChosen, choose, chosenOptions, type OptionNames} from "./options.ts";
import {elementOf} from "./refs.ts";
import {isSecret} from "./secret.ts";
import {isHtmlElement, isInput, isSelect, isTextArea} from "./tags.ts";
import {newTurn} from "./turn.ts";
import {stateOf, valueOf} from "./values.ts";

export async function settle({gesture, ref, meant, options}: SettleRequest): Promise<Settled> {
  // The page's answer to the input may be one task away: a framework's render, a reverted value.
  await oneTask();
  newTurn();
  const ended = gesture === null ? null : disarm(gesture);
  const element = elementOf(ref);
  const value = element === null ? null : valueOf(element);
  return {
    guard: ended?.record ?? null,
    after: element === null ? null : stateOf(element),
    ...(meant !== undefined && element !== null && isSecret(element) && {matches: value === meant}),
    ...(options !== undefined && isSelect(element) && {matches: isChosen(element, options)}),
    domChanged: ended?.domChanged ?? false,
  };
}

function isChosen(select: HTMLSelectElement, options: OptionNames): boolean {
  const chosen = chosenOptions(select, options);
  return chosen.failed === undefined && areChosen(select, chosen.options);
}

export const disarmStop = (gesture: number): GuardRecord => disarm(gesture).record;

/** One turn of the event loop, also where timers are throttled. */
function oneTask(): Promise<void> {
  return new Promise((resolve) => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The things the engine does itself, by the `dom` route: the events are the browser's or ours, never trusted. */
export function act(request: ActRequest): Outcome<{done: true}> {
  const element = elementOf(request.ref);
  if (element === null) return fail("stale_ref", `${request.ref} is no longer in the page`);
  switch (request.act) {
    case "click":
      return click(element);
    case "focus":
      if (isHtmlElement(element) || element instanceof SVGElement) element.focus();
      return done;
    case "set_value":
      return setValue(element, request.value ?? "");
    case "select":
      return select(element, request);
  }
}

const done = {done: true} as const;

function click(element: Element): Outcome<{done: true}> {
  if (isHtmlElement(element)) element.click();
  else element.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, composed: true}));
  return done;
}

/** By the prototype's setter: frameworks shadow `value` on the element itself to track it, and then see a change. */
function setValue(element: Element, value: string): Outcome<{done: true}> {
  if (isInput(element)) setterOf(HTMLInputElement.prototype)?.call(element, value);
  else if (isTextArea(element)) setterOf(HTMLTextAreaElement.prototype)?.call(element, value);
  else if (isHtmlElement(element) && element.isContentEditable) element.textContent = value;
  else return fail("not_a_text_field", `<${element.localName}> has no value to set`);
  element.dispatchEvent(
    new InputEvent("input", {bubbles: true, composed: true, inputType: "insertReplacementText", data: value}),
  );
  element.dispatchEvent(new Event("change", {bubbles: true}));
  return done;
}

const setterOf = (prototype: object) => Object.getOwnPropertyDescriptor(prototype, "value")?.set;

function select(element: Element, {options}: ActRequest): Outcome<{done: true}> {
  if (!isSelect(element)) {
    const failure: Failure = fail("not_a_select", `<${element.localName}> is no native select`);
    return failure;
  }
  const chosen = chosenOptions(element, options ?? {});
  if (chosen.failed !== undefined) return chosen;
  choose(element, chosen.options);
  return done;
}
