// fill, select, check: each ends with a read-back of the control's own state.
import type {ExtensionHandlers, Input, Output} from "../../shared/operations/index.ts";
import {describeTarget} from "../../shared/target.ts";
import {act, actInPage, judgeByState, rejected} from "../background/act.ts";
import type {Evidence, Judgement} from "../background/attempt.ts";
import {type Context, enterTab} from "../background/context.ts";
import {insertText, parseChord, pressKey, pressMouse} from "../background/input.ts";
import {judgeClick} from "./pointer.ts";

export const formHandlers: Pick<ExtensionHandlers<Context>, "fill" | "select" | "check"> = {
  fill,
  select,
  check,
};

async function fill(input: Input<"fill">, context: Context): Promise<Output<"fill">> {
  const work = await enterTab(context, input.tab);
  const what = describeTarget(input.target);
  const {evidence, changes} = await act(context, work, input, {
    target: input.target,
    purpose: "fill",
    gesture: {kind: "keys", presses: 1},
    route: "trusted_input",
    request: {value: input.value},
    meant: input.value,
    async deliver(ready) {
      if (ready.prepared.write === "set")
        return actInPage(work, ready, {act: "set_value", value: input.value});
      const {sessionId} = ready.frame;
      if (input.value === "") await pressKey(work.tabId, parseChord("Delete"), sessionId);
      else await insertText(work.tabId, input.value, sessionId);
      return null;
    },
    judge: (found) => judgeFill(found, input.value, what),
  });
  const value = evidence.settled?.after?.value;
  return {...changes, ...(value !== undefined && {value})};
}

/** The page may format what it was given; only a field that kept its old value has rejected it. */
function judgeFill(evidence: Evidence, meant: string, what: string): Judgement {
  const {settled, prepared} = evidence;
  const after = settled?.after?.value;
  if (after === undefined) return judgeByState(evidence, () => null);
  if (settled?.matches ?? after === meant) return {effect: "confirmed", evidence: [{kind: "value_readback"}]};
  if (after === prepared.before.value) return {effect: "suspected_noop", error: rejected(what, after)};
  return {effect: "unverifiable"};
}

async function select(input: Input<"select">, context: Context): Promise<Output<"select">> {
  const work = await enterTab(context, input.tab);
  const what = describeTarget(input.target);
  const options = {
    ...(input.values !== undefined && {values: input.values}),
    ...(input.labels !== undefined && {labels: input.labels}),
    ...(input.indexes !== undefined && {indexes: input.indexes}),
  };
  const {evidence, changes} = await act(context, work, input, {
    target: input.target,
    purpose: "select",
    gesture: null,
    route: "dom",
    request: {options},
    deliver: (ready) => actInPage(work, ready, {act: "select", options}),
    judge: (found) => {
      if (found.settled?.matches === false)
        return {effect: "suspected_noop", error: rejected(what, found.settled.after?.selected)};
      return judgeByState(found, () =>
        found.prepared.already || found.settled?.matches === true ? true : null,
      );
    },
  });
  const selected = (evidence.settled?.after ?? evidence.prepared.before).selected;
  return {...changes, ...(selected !== undefined && {selected})};
}

async function check(input: Input<"check">, context: Context): Promise<Output<"check">> {
  const work = await enterTab(context, input.tab);
  const what = describeTarget(input.target);
  const {evidence, changes} = await act(context, work, input, {
    target: input.target,
    purpose: "check",
    gesture: {kind: "pointer", presses: 1},
    route: "trusted_input",
    request: {checked: input.checked},
    async deliver({point}) {
      if (point !== null) await pressMouse(work.tabId, point, {button: "left", count: 1, modifiers: []});
      return null;
    },
    judge: (found) => judgeCheck(found, input.checked, what),
  });
  const checked = (evidence.settled?.after ?? evidence.prepared.before).checked;
  return {...changes, ...(checked !== undefined && {checked})};
}

function judgeCheck(evidence: Evidence, wanted: boolean, what: string): Judgement {
  if (evidence.prepared.already) return {effect: "confirmed", evidence: [{kind: "value_readback"}]};
  const now = evidence.settled?.after?.checked;
  if (now === wanted) return {effect: "confirmed", evidence: [{kind: "value_readback"}]};
  const judgement = judgeClick(evidence, what);
  if (judgement.error !== undefined || now === undefined || evidence.windowChanged) return judgement;
  return {effect: "suspected_noop", error: rejected(what, now)};
}
