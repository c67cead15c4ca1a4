// press.
import type {ExtensionHandlers, Input, Output} from "../../shared/operations/index.ts";
import {act, judgeByState} from "../background/act.ts";
import {type Context, enterTab} from "../background/context.ts";
import {parseChord, pressKey} from "../background/input.ts";
import type {ControlState} from "../page/contract.ts";

export const keyboardHandlers: Pick<ExtensionHandlers<Context>, "press"> = {press};

async function press(input: Input<"press">, context: Context): Promise<Output<"press">> {
  const chord = parseChord(input.key);
  const work = await enterTab(context, input.tab);
  const {changes} = await act(context, work, input, {
    target: input.target ?? null,
    purpose: "press",
    gesture: {kind: "keys", presses: 1},
    route: "trusted_input",
    async deliver({frame}) {
      await pressKey(work.tabId, chord, frame.sessionId);
      return null;
    },
    judge: (evidence) => judgeByState(evidence, changedByKey),
  });
  return changes;
}

/** A key is confirmed when the control it went to holds something else; one that changes nothing may be right too. */
function changedByKey(after: ControlState, before: ControlState): boolean | null {
  const keys = ["value", "checked", "expanded", "pressed"] as const;
  return keys.some((key) => after[key] !== before[key]) ? true : null;
}
