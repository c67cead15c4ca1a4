// click.
import {SubletError} from "../../shared/errors.ts";
import type {ExtensionHandlers, Input, Output} from "../../shared/operations/index.ts";
import {describeTarget} from "../../shared/target.ts";
import {act, actInPage, judgeByState} from "../background/act.ts";
import type {Evidence, Judgement} from "../background/attempt.ts";
import {type Context, enterTab} from "../background/context.ts";
import {pressMouse} from "../background/input.ts";
import type {ControlState} from "../page/contract.ts";

export const pointerHandlers: Pick<ExtensionHandlers<Context>, "click"> = {click};

async function click(input: Input<"click">, context: Context): Promise<Output<"click">> {
  const work = await enterTab(context, input.tab);
  const what = describeTarget(input.target);
  const byDom = input.method === "dom";
  const {changes} = await act(context, work, input, {
    target: input.target,
    purpose: byDom ? "look" : "click",
    gesture: byDom ? null : {kind: "pointer", presses: input.count},
    route: byDom ? "dom" : "trusted_input",
    request: {position: input.position},
    async deliver(ready) {
      if (byDom) return actInPage(work, ready, {act: "click"});
      if (ready.point !== null) await pressMouse(work.tabId, ready.point, input);
      return null;
    },
    judge: (evidence) => judgeClick(evidence, what, byDom),
  });
  return changes;
}

/** What a click means: a toggle that changed, or a window that did. That an event arrived proves nothing. */
export function judgeClick(evidence: Evidence, what: string, byDom = false): Judgement {
  const judgement = judgeByState(evidence, toggled);
  const guard = evidence.settled?.guard;
  if (byDom || guard == null || evidence.windowChanged || guard.clicked) return judgement;
  if (guard.pointerOnly) {
    return {
      effect: "unverifiable",
      error: new SubletError("not_enabled", `${what} is disabled: it took only pointer events`),
    };
  }
  return {
    effect: "unverifiable",
    error: new SubletError(
      "click_incomplete",
      `${what} was pressed, and the page removed or moved it before the release`,
    ),
  };
}

/** true: a toggle changed; false: it has one and it did not; null: it has none. */
function toggled(after: ControlState, before: ControlState): boolean | null {
  const keys = ["checked", "expanded", "pressed"] as const;
  const own = keys.filter((key) => before[key] !== undefined && after[key] !== undefined);
  if (own.length === 0) return null;
  return own.some((key) => before[key] !== after[key]);
}
