// The page engine: one script for one document, in a world of its own. The worker calls `sublet.call(name, frame,
// request)`; nothing here is visible to the page, and nothing waits by the clock.
import {activityWithin, stopActivity} from "./activity.ts";
import type {Answer, CallFrame, EngineCall, EngineCalls} from "./contract.ts";
import {box, find} from "./find.ts";
import {armStop, installGuard, isLate, keepAlive, removeGuard} from "./guard.ts";
import {arrival, leaving} from "./journey.ts";
import {outline} from "./outline.ts";
import {stopQuiet} from "./quiet.ts";
import {prepare} from "./ready.ts";
import {enterFrame, lastNumber, refOf} from "./refs.ts";
import {act, disarmStop, settle} from "./settle.ts";
import {adoptRoot} from "./tree.ts";
import {newTurn} from "./turn.ts";
import {watch} from "./watch.ts";

type Handlers = {
  [Name in EngineCall]: (
    request: EngineCalls[Name]["request"],
  ) => EngineCalls[Name]["value"] | Promise<EngineCalls[Name]["value"]>;
};

const handlers: Handlers = {
  hello: () => {
    keepAlive();
    return {late: isLate()};
  },
  outline,
  find,
  prepare,
  arm_stop: ({gesture}) => {
    armStop(gesture);
    return {};
  },
  settle,
  disarm: ({gesture}) => disarmStop(gesture),
  act,
  watch,
  changed: async ({timeoutMs}) => ({changed: await activityWithin(timeoutMs)}),
  box,
  arrival,
  leaving,
  leave: () => {
    removeGuard();
    stopActivity();
    stopQuiet();
    return {};
  },
};

function call<Name extends EngineCall>(
  name: Name,
  frame: CallFrame,
  request: EngineCalls[Name]["request"],
): Answer<EngineCalls[Name]["value"]> | Promise<Answer<EngineCalls[Name]["value"]>> {
  newTurn();
  enterFrame(frame);
  const value = handlers[name](request);
  return value instanceof Promise ? value.then(answer) : answer(value);
}

const answer = <Value>(value: Value): Answer<Value> => ({
  value,
  page: {url: location.href, title: document.title},
  base: lastNumber(),
});

declare global {
  var sublet:
    | {call: typeof call; adopt: (root: ShadowRoot) => void; refOf: (element: Element) => string}
    | undefined;
}

// The script may be evaluated twice in one world, by the door for new documents and by hand.
if (globalThis.sublet === undefined) {
  globalThis.sublet = {call, adopt: adoptRoot, refOf};
  installGuard();
}
