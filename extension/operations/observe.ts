// observe, find.
import {SubletError} from "../../shared/errors.ts";
import type {ExtensionHandlers, Input, Output} from "../../shared/operations/index.ts";
import {type Context, enterTab} from "../background/context.ts";
import {currentDialog} from "../background/dialogs.ts";
import {callEngine} from "../background/engine.ts";
import {placeOf} from "../background/locate.ts";
import {outlineOf} from "../background/outline.ts";

export const observeHandlers: Pick<ExtensionHandlers<Context>, "observe" | "find"> = {observe, find};

let snapshots = 0;

async function observe(input: Input<"observe">, context: Context): Promise<Output<"observe">> {
  const work = await enterTab(context, input.tab);
  const options = {
    mode: input.mode,
    viewport: input.viewport,
    maxChars: input.max_chars,
    within: input.within,
  };
  const {page, ...outline} = await outlineOf(work, options);
  context.found.page = page;
  snapshots += 1;
  const dialog = currentDialog(work.tabId);
  return {
    snapshot_id: `${work.lease.handle}-${snapshots}`,
    ...outline,
    dialogs: dialog === null ? [] : [{...dialog}],
  };
}

async function find(input: Input<"find">, context: Context): Promise<Output<"find">> {
  const work = await enterTab(context, input.tab);
  const place =
    input.target === undefined ? {frame: work.top(), target: undefined} : placeOf(work, input.target);
  const request = {target: place.target, query: input.query, limit: input.limit};
  const {value, page} = await callEngine(work.lease, place.frame, "find", request, {signal: work.signal});
  if (place.frame.parent === null) context.found.page = page;
  if (value.failed !== undefined) throw new SubletError(value.failed, value.message, value.data);
  return {matches: value.matches, total: value.total};
}
