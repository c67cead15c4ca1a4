// screenshot.
import {SubletError} from "../../shared/errors.ts";
import type {ExtensionHandlers, Input, Output} from "../../shared/operations/index.ts";
import {type Context, enterTab, type Workplace} from "../background/context.ts";
import {send} from "../background/debuggee.ts";
import {callEngine} from "../background/engine.ts";
import {offsetOf} from "../background/frames.ts";
import {placeOf} from "../background/locate.ts";
import {pageNow} from "../background/page-now.ts";
import {takePicture} from "../background/picture.ts";
import type {Box} from "../page/contract.ts";

export const evidenceHandlers: Pick<ExtensionHandlers<Context>, "screenshot"> = {screenshot};

interface Metrics {
  cssVisualViewport: {pageX: number; pageY: number; clientWidth: number; clientHeight: number};
  cssContentSize: {width: number; height: number};
}

async function screenshot(input: Input<"screenshot">, context: Context): Promise<Output<"screenshot">> {
  const work = await enterTab(context, input.tab);
  context.found.page = await pageNow(work);
  // Boxes of elements are of the viewport, pictures of the page: the scroll position lies between them.
  const element = input.target === undefined ? null : await boxOf(context, work, input.target);
  const metrics = await send<Metrics>(work.tabId, "Page.getLayoutMetrics");
  const view = metrics.cssVisualViewport;
  const clip: Box = input.full_page
    ? {x: 0, y: 0, ...metrics.cssContentSize}
    : element === null
      ? {x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight}
      : {...element, x: element.x + view.pageX, y: element.y + view.pageY};
  const scale = input.max_width === undefined ? 1 : Math.min(1, input.max_width / clip.width);
  const whole = input.full_page || element !== null;
  const options = {format: input.format, quality: input.quality, beyondViewport: whole};
  const picture = await takePicture(
    work,
    whole || scale !== 1 ? {...options, clip: {...clip, scale}} : options,
  );
  context.found.evidence = [picture.file];
  return {width: picture.width, height: picture.height, scale: picture.width / clip.width};
}

async function boxOf(
  context: Context,
  work: Workplace,
  target: NonNullable<Input<"screenshot">["target"]>,
): Promise<Box> {
  const place = placeOf(work, target);
  const [{value}, offset] = await Promise.all([
    callEngine(work.lease, place.frame, "box", {target: place.target}, {signal: work.signal}),
    offsetOf(place.frame),
  ]);
  if (value.failed !== undefined) throw new SubletError(value.failed, value.message, value.data);
  context.found.target = {element: value.element, strategy: "target", candidates: 1};
  return {...value.box, x: value.box.x + offset.x, y: value.box.y + offset.y};
}
