// navigate.
import {SubletError} from "../../shared/errors.ts";
import type {ExtensionHandlers, Input, Output} from "../../shared/operations/index.ts";
import {navigableUrl} from "../../shared/policy.ts";
import {verify} from "../background/attempt.ts";
import {type Context, enterTab, type Workplace} from "../background/context.ts";
import {dialogIsOpen} from "../background/debuggee.ts";
import {currentDialog, whileDiscarding} from "../background/dialogs.ts";
import {callEngine} from "../background/engine.ts";
import {whileActing} from "../background/gesture.ts";
import {markNow} from "../background/happenings.ts";
import {goTo} from "../background/navigation.ts";
import {outlineOf} from "../background/outline.ts";
import {pageNow} from "../background/page-now.ts";
import {invalidUrl} from "./tabs.ts";

export const navigateHandlers: Pick<ExtensionHandlers<Context>, "navigate"> = {navigate};

async function navigate(input: Input<"navigate">, context: Context): Promise<Output<"navigate">> {
  const url = navigableUrl(input.url);
  if (url === null) throw invalidUrl(input.url);
  const work = await enterTab(context, input.tab);
  const dialog = currentDialog(work.tabId);
  if (dialog !== null) throw dialogIsOpen(dialog);
  const mark = markNow(work.tabId);
  if (!input.discard_changes) await askToLeave(work);
  const go = () => goTo(context, work, url, input.wait_until, input.timeout_ms);
  const arrived = await whileActing(work.tabId, () =>
    input.discard_changes ? whileDiscarding(work.tabId, go) : go(),
  );
  try {
    await verify(context, work, input.expect, input.expect_timeout_ms, mark);
  } finally {
    context.found.page = (await pageNow(work)) ?? context.found.page;
  }
  const changes = input.observe
    ? {changes: (await outlineOf(work, {mode: "outline", viewport: false, maxChars: 8_000})).outline}
    : {};
  return {...arrived, ...changes};
}

/**
 * A page that asks before unload would bring its tab to the front, and wait for an answer. Its own handlers are asked
 * beforehand, without a dialog.
 */
async function askToLeave(work: Workplace): Promise<void> {
  const {value} = await callEngine(work.lease, work.top(), "leaving", {}, {signal: work.signal});
  if (value.asks) {
    throw new SubletError(
      "unsaved_changes",
      "the page asks before it is left: something in it is not saved",
      {
        details: {fields: value.fields},
      },
    );
  }
}
