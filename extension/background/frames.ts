// The frames of a leased tab: which there are, which CDP session reaches each, and where the engine's world is in it.
// Kept right by CDP events; an out-of-process frame has a session of its own.

import {SubletError} from "../../shared/errors.ts";
import type {Point} from "../page/contract.ts";
import engineFile from "../page/engine.ts?iife";
import {send, whenAttached} from "./debuggee.ts";
import {recall, remember} from "./memory.ts";

export interface Frame {
  readonly id: string;
  readonly tabId: number;
  /** 0 for the top document, else the number in its refs: 2 in f2e5. */
  readonly number: number;
  parent: string | null;
  /** The session of the process that the frame lives in; undefined for the tab's own. */
  sessionId: string | undefined;
  url: string;
  loader: string;
  /** The engine's world, asked for at the first call into each document. */
  context: Promise<number> | null;
}

interface CdpFrame {
  id: string;
  parentId?: string;
  loaderId: string;
  url: string;
}
interface FrameTree {
  frame: CdpFrame;
  childFrames?: FrameTree[];
}

const world = "sublet";
const prefix = "frame:";
const tabs = new Map<number, Map<string, Frame>>();
/** tab and frame id → number, so that f2 stays f2 over the worker's restart. */
const numbers = new Map<string, number>();
const source: Promise<string> = fetch(chrome.runtime.getURL(engineFile)).then((file) => file.text());

export async function loadFrames(): Promise<void> {
  for (const [key, number] of await recall<number>(prefix)) numbers.set(key, number);
}

/** Makes attaching find the frames and put the engine into each present and later document. */
export function followFrames(): void {
  whenAttached(async (tabId) => {
    tabs.set(tabId, new Map());
    await enter(tabId, undefined);
  });
}

export const framesOf = (tabId: number): Frame[] => [...(tabs.get(tabId)?.values() ?? [])];

export function topFrame(tabId: number): Frame {
  const top = framesOf(tabId).find((frame) => frame.parent === null && frame.sessionId === undefined);
  if (top === undefined) throw new SubletError("frame_unreachable", "the tab has no document yet");
  return top;
}

export const frameNumbered = (tabId: number, number: number): Frame | undefined =>
  framesOf(tabId).find((frame) => frame.number === number);

/** The engine's execution context in a frame's present document. */
export function contextOf(frame: Frame): Promise<number> {
  frame.context ??= send<{executionContextId: number}>(
    frame.tabId,
    "Page.createIsolatedWorld",
    {frameId: frame.id, worldName: world},
    {sessionId: frame.sessionId},
  ).then((answer) => answer.executionContextId);
  return frame.context;
}

export const engineSource = (): Promise<string> => source;

/** Where a frame's viewport begins in the tab's own, in CSS pixels. */
export async function offsetOf(frame: Frame): Promise<Point> {
  if (frame.parent === null) return {x: 0, y: 0};
  const parent = tabs.get(frame.tabId)?.get(frame.parent);
  if (parent === undefined) throw new SubletError("frame_unreachable", "the frame's parent is gone");
  const {tabId} = frame;
  const sessionId = parent.sessionId;
  const owner = await send<{backendNodeId: number}>(
    tabId,
    "DOM.getFrameOwner",
    {frameId: frame.id},
    {sessionId},
  );
  const {model} = await send<{model: {content: number[]}}>(
    tabId,
    "DOM.getBoxModel",
    {backendNodeId: owner.backendNodeId},
    {sessionId},
  );
  const [x = 0, y = 0] = model.content;
  // A box model is told in the viewport of its session's own root, not of the frame that it is in.
  const root = sessionRoot(parent);
  const outer = root === null ? {x: 0, y: 0} : await offsetOf(root);
  return {x: x + outer.x, y: y + outer.y};
}

/** Takes note of one CDP event that concerns frames. */
export function frameEvent(
  tabId: number,
  sessionId: string | undefined,
  method: string,
  params: Record<string, unknown>,
): void {
  const frames = tabs.get(tabId);
  if (frames === undefined) return;
  if (method === "Page.frameNavigated") navigated(tabId, sessionId, params.frame as CdpFrame);
  else if (method === "Page.frameAttached")
    add(tabId, sessionId, {
      id: String(params.frameId),
      parentId: String(params.parentFrameId),
      loaderId: "",
      url: "",
    });
  else if (method === "Page.frameDetached" && params.reason !== "swap")
    remove(frames, String(params.frameId));
  else if (method === "Target.attachedToTarget") void joined(tabId, params);
  else if (method === "Target.detachedFromTarget") {
    for (const frame of frames.values()) if (frame.sessionId === params.sessionId) remove(frames, frame.id);
  }
}

export function forgetFrames(tabId: number): void {
  tabs.delete(tabId);
}

async function enter(tabId: number, sessionId: string | undefined): Promise<void> {
  const on = {sessionId};
  const [tree] = await Promise.all([
    send<{frameTree: FrameTree}>(tabId, "Page.getFrameTree", {}, on),
    source.then((text) =>
      send(
        tabId,
        "Page.addScriptToEvaluateOnNewDocument",
        {source: text, worldName: world, runImmediately: true},
        on,
      ),
    ),
    send(tabId, "Target.setAutoAttach", {autoAttach: true, waitForDebuggerOnStart: true, flatten: true}, on),
  ]);
  addTree(tabId, sessionId, tree.frameTree);
}

/** An out-of-process frame has come, and waits: the engine goes in before its own scripts run. */
async function joined(tabId: number, params: Record<string, unknown>): Promise<void> {
  const sessionId = String(params.sessionId);
  const info = params.targetInfo as {targetId: string; type: string; url: string; parentFrameId?: string};
  const run = () => send(tabId, "Runtime.runIfWaitingForDebugger", {}, {sessionId});
  try {
    if (info.type !== "iframe") return void (await run());
    const known = tabs.get(tabId)?.get(info.targetId);
    const frame =
      known ??
      add(tabId, sessionId, {
        id: info.targetId,
        loaderId: "",
        url: info.url,
        ...(info.parentFrameId && {parentId: info.parentFrameId}),
      });
    frame.sessionId = sessionId;
    frame.context = null;
    const entered = Promise.all([
      send(tabId, "Page.enable", {}, {sessionId}),
      send(tabId, "DOM.enable", {}, {sessionId}),
      enter(tabId, sessionId),
    ]);
    await Promise.all([entered, run()]);
  } catch {
    // The frame went while it was being set up: nothing is left to do for it.
  }
}

function navigated(tabId: number, sessionId: string | undefined, facts: CdpFrame): void {
  const frames = tabs.get(tabId);
  if (frames === undefined) return;
  for (const child of [...frames.values()])
    if (child.parent === facts.id && child.sessionId === sessionId) remove(frames, child.id);
  const frame = add(tabId, sessionId, facts);
  frame.url = facts.url;
  frame.loader = facts.loaderId;
  frame.context = null;
}

function addTree(tabId: number, sessionId: string | undefined, tree: FrameTree): void {
  const frame = add(tabId, sessionId, tree.frame);
  frame.url = tree.frame.url;
  frame.loader = tree.frame.loaderId;
  for (const child of tree.childFrames ?? []) addTree(tabId, sessionId, child);
}

function add(tabId: number, sessionId: string | undefined, facts: CdpFrame): Frame {
  const frames = tabs.get(tabId) ?? new Map<string, Frame>();
  tabs.set(tabId, frames);
  const known = frames.get(facts.id);
  if (known !== undefined) {
    if (facts.parentId !== undefined) known.parent = facts.parentId;
    return known;
  }
  const top = facts.parentId === undefined && sessionId === undefined;
  const frame: Frame = {
    id: facts.id,
    tabId,
    number: top ? 0 : numberFor(tabId, facts.id),
    parent: facts.parentId ?? null,
    sessionId,
    url: facts.url,
    loader: facts.loaderId,
    context: null,
  };
  frames.set(frame.id, frame);
  return frame;
}

function numberFor(tabId: number, frameId: string): number {
  const key = `${tabId}:${frameId}`;
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const used = [...numbers].filter(([other]) => other.startsWith(`${tabId}:`)).map(([, number]) => number);
  const number = Math.max(0, ...used) + 1;
  numbers.set(key, number);
  void remember(prefix + key, number);
  return number;
}

function remove(frames: Map<string, Frame>, id: string): void {
  frames.delete(id);
  for (const child of [...frames.values()]) if (child.parent === id) remove(frames, child.id);
}

/** The outermost frame of the process that a frame lives in; null when that is the tab's own top document. */
function sessionRoot(frame: Frame): Frame | null {
  const frames = tabs.get(frame.tabId);
  let root = frame;
  while (root.parent !== null) {
    const parent = frames?.get(root.parent);
    if (parent === undefined || parent.sessionId !== frame.sessionId) break;
    root = parent;
  }
  return root.parent === null ? null : root;
}
