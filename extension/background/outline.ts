// The outline of a tab: each frame's own, made in its page, with a child frame's lines below its iframe.
import {SubletError} from "../../shared/errors.ts";
import type {ElementFacts, PageFacts} from "../../shared/result.ts";
import type {Target} from "../../shared/target.ts";
import type {Outline, OutlineRequest} from "../page/contract.ts";
import type {Workplace} from "./context.ts";
import {send} from "./debuggee.ts";
import {callEngine} from "./engine.ts";
import {contextOf, type Frame, framesOf} from "./frames.ts";
import {placeOf} from "./locate.ts";

export interface TabOutline {
  outline: string;
  refs: number;
  complete: boolean;
  omitted: number;
  focused: ElementFacts | null;
  /** How many frames the outline shows. */
  frames: number;
  page: PageFacts;
}

interface Options {
  mode: OutlineRequest["mode"];
  viewport: boolean;
  maxChars: number;
  within?: Target | undefined;
}

export async function outlineOf(work: Workplace, options: Options): Promise<TabOutline> {
  const place =
    options.within === undefined ? {frame: work.top(), target: undefined} : placeOf(work, options.within);
  const {page} = await callEngine(work.lease, work.top(), "hello", {}, {signal: work.signal});
  const whole: TabOutline = {
    outline: "",
    refs: 0,
    complete: true,
    omitted: 0,
    focused: null,
    frames: 0,
    page,
  };
  const lines = await frameLines(work, place.frame, {...options, within: place.target}, whole, 0);
  whole.outline = lines.join("\n");
  return whole;
}

async function frameLines(
  work: Workplace,
  frame: Frame,
  options: OutlineRequest,
  whole: TabOutline,
  depth: number,
): Promise<string[]> {
  const outline = await engineOutline(work, frame, options);
  whole.refs += outline.refs;
  whole.omitted += outline.omitted;
  whole.complete &&= outline.complete;
  whole.focused ??= outline.focused;
  whole.frames += 1;
  const children = await childFrames(work, frame, outline);
  const used = outline.lines.reduce((sum, line) => sum + line.text.length + 2 * line.depth + 3, 0);
  let left = options.maxChars - used;
  const lines: string[] = [];
  for (const line of outline.lines) {
    lines.push(`${"  ".repeat(line.depth + depth)}- ${line.text}`);
    const child = line.frameRef === undefined ? undefined : children.get(line.frameRef);
    if (child === undefined) continue;
    if (left < 100) {
      whole.complete = false;
      continue;
    }
    const below = await childLines(
      work,
      child,
      {...options, within: undefined, maxChars: left},
      whole,
      depth + line.depth + 1,
    );
    left -= below.reduce((sum, text) => sum + text.length + 1, 0);
    lines.push(...below);
  }
  return lines;
}

/** A child frame that is not there yet leaves its iframe's line alone, and the outline incomplete. */
async function childLines(
  work: Workplace,
  frame: Frame,
  options: OutlineRequest,
  whole: TabOutline,
  depth: number,
): Promise<string[]> {
  try {
    return await frameLines(work, frame, options, whole, depth);
  } catch (thrown) {
    if (SubletError.from(thrown).code !== "frame_unreachable") throw thrown;
    whole.complete = false;
    return [];
  }
}

async function engineOutline(work: Workplace, frame: Frame, request: OutlineRequest): Promise<Outline> {
  const {value} = await callEngine(work.lease, frame, "outline", request, {signal: work.signal});
  if (value.failed !== undefined) throw new SubletError(value.failed, value.message, value.data);
  return value;
}

/** Which of the outline's iframes holds which frame: the browser knows a frame's element, the engine its ref. */
async function childFrames(work: Workplace, frame: Frame, outline: Outline): Promise<Map<string, Frame>> {
  const byRef = new Map<string, Frame>();
  if (!outline.lines.some((line) => line.frameRef !== undefined)) return byRef;
  const children = framesOf(work.tabId).filter((child) => child.parent === frame.id);
  await Promise.all(
    children.map(async (child) => {
      const ref = await frameRef(frame, child);
      if (ref !== null) byRef.set(ref, child);
    }),
  );
  return byRef;
}

/** The ref that the parent's engine gave the element which holds a frame; null when it has none. */
async function frameRef(parent: Frame, child: Frame): Promise<string | null> {
  const on = {sessionId: parent.sessionId};
  try {
    const [{backendNodeId}, executionContextId] = await Promise.all([
      send<{backendNodeId: number}>(parent.tabId, "DOM.getFrameOwner", {frameId: child.id}, on),
      contextOf(parent),
    ]);
    const {object} = await send<{object: {objectId: string}}>(
      parent.tabId,
      "DOM.resolveNode",
      {backendNodeId, executionContextId, objectGroup: "sublet"},
      on,
    );
    const {result} = await send<{result: {value?: string | null}}>(
      parent.tabId,
      "Runtime.callFunctionOn",
      {
        objectId: object.objectId,
        functionDeclaration: "function () { return sublet.refOf(this) }",
        returnByValue: true,
      },
      on,
    );
    return result.value ?? null;
  } catch {
    return null;
  }
}
