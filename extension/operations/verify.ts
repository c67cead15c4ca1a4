// expect.
import type {ExtensionHandlers, Input, Output} from "../../shared/operations/index.ts";
import {verify} from "../background/attempt.ts";
import {type Context, enterTab} from "../background/context.ts";
import {lastActMark} from "../background/gesture.ts";
import {pageNow} from "../background/page-now.ts";

export const verifyHandlers: Pick<ExtensionHandlers<Context>, "expect"> = {expect};

async function expect(input: Input<"expect">, context: Context): Promise<Output<"expect">> {
  const work = await enterTab(context, input.tab);
  context.found.page = await pageNow(work);
  try {
    await verify(context, work, input.conditions, input.timeout_ms, lastActMark(work.tabId));
  } finally {
    context.found.page = (await pageNow(work)) ?? context.found.page;
  }
  return {};
}
