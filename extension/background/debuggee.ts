// The debugger on one tab: attached at the first operation that needs it, with the recipe that makes a background
// tab work at full speed, and detached when the lease ends. It is the last gate for CDP: methods outside a short list
// are refused, whoever asks (security 4.2).
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import {currentDialog} from "./dialogs.ts";
import {happened} from "./happenings.ts";

interface Debuggee {
  readonly tabId: number;
  /** Set while attached or attaching. */
  attached: Promise<void> | null;
  /** Set while the tab is awake or waking: focus emulation and a screencast are on. */
  awake: Promise<void> | null;
  sleepTimer: ReturnType<typeof setTimeout> | undefined;
  /** Rejects whatever waits on the page, when a dialog, a crash or a detach makes the wait pointless. */
  readonly interrupts: Set<(reason: SubletError) => void>;
}

const allowedMethods: ReadonlySet<string> = new Set([
  "Page.enable",
  "Page.navigate",
  "Page.reload",
  "Page.getFrameTree",
  "Page.createIsolatedWorld",
  "Page.addScriptToEvaluateOnNewDocument",
  "Page.setLifecycleEventsEnabled",
  "Page.captureScreenshot",
  "Page.startScreencast",
  "Page.stopScreencast",
  "Page.screencastFrameAck",
  "Page.getLayoutMetrics",
  "Page.handleJavaScriptDialog",
  "Inspector.enable",
  "Target.setAutoAttach",
  "Runtime.evaluate",
  "Runtime.releaseObjectGroup",
  "Runtime.callFunctionOn",
  "Runtime.runIfWaitingForDebugger",
  "DOM.enable",
  "DOM.getFrameOwner",
  "DOM.getBoxModel",
  "DOM.describeNode",
  "DOM.resolveNode",
  "DOMDebugger.getEventListeners",
  "Emulation.setFocusEmulationEnabled",
  "Input.dispatchMouseEvent",
  "Input.dispatchKeyEvent",
  "Input.insertText",
]);

const debuggees = new Map<number, Debuggee>();
let onReady: (tabId: number) => Promise<void> = async () => {};

/** What frames.ts does once a tab is attached: find its frames and put the engine in. */
export const whenAttached = (prepare: (tabId: number) => Promise<void>): void => {
  onReady = prepare;
};

/** Attaches if need be and brings the tab to full speed, without touching its place or the person's focus. */
export function wake(tabId: number): Promise<void> {
  const debuggee = debuggeeOf(tabId);
  clearTimeout(debuggee.sleepTimer);
  debuggee.sleepTimer = setTimeout(() => void sleep(debuggee), LIMITS.leaseSleepMs);
  debuggee.attached ??= attach(debuggee).catch((error: unknown) => {
    debuggee.attached = null;
    throw error;
  });
  debuggee.awake ??= rouse(debuggee).catch((error: unknown) => {
    debuggee.awake = null;
    throw error;
  });
  return debuggee.awake;
}

/** One CDP command, within its own deadline. `sessionId` names an out-of-process frame's session. */
export async function send<Result = Record<string, unknown>>(
  tabId: number,
  method: string,
  params: Record<string, unknown> = {},
  {sessionId, timeoutMs = LIMITS.cdpCallMs}: {sessionId?: string | undefined; timeoutMs?: number} = {},
): Promise<Result> {
  if (!allowedMethods.has(method))
    throw new SubletError("command_failed", `${method} is not among the CDP methods that Sublet uses`);
  const source = sessionId === undefined ? {tabId} : {tabId, sessionId};
  const command = chrome.debugger.sendCommand(source, method, params) as Promise<Result>;
  return within(
    command,
    timeoutMs,
    () =>
      new SubletError("timeout", `${method} had no answer within ${timeoutMs} ms`, {details: {last: method}}),
  );
}

/**
 * Waits for something that the page does, and stops waiting at once when a dialog opens, the page crashes, the
 * debugger is detached or the lease ends: the pending call itself would never settle.
 */
export function untilInterrupted<Result>(
  tabId: number,
  wait: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const debuggee = debuggeeOf(tabId);
  return new Promise((resolve, reject) => {
    const finish = () => {
      debuggee.interrupts.delete(interrupt);
      signal.removeEventListener("abort", onAbort);
    };
    const interrupt = (reason: SubletError) => {
      finish();
      reject(reason);
    };
    const onAbort = () => interrupt(SubletError.from(signal.reason));
    debuggee.interrupts.add(interrupt);
    signal.addEventListener("abort", onAbort, {once: true});
    wait.then(
      (result) => {
        finish();
        resolve(result);
      },
      (error: unknown) => {
        finish();
        reject(error);
      },
    );
    const dialog = currentDialog(tabId);
    if (dialog !== null) interrupt(dialogIsOpen(dialog));
    else if (signal.aborted) onAbort();
  });
}

/** Ends every wait on a tab's page, with one reason. */
export function interrupt(tabId: number, reason: SubletError): void {
  for (const stop of [...(debuggees.get(tabId)?.interrupts ?? [])]) stop(reason);
}

export const dialogIsOpen = (dialog: {type: string; message: string}): SubletError =>
  new SubletError("dialog_open", `a dialog blocks the page: ${dialog.type} "${dialog.message}"`, {dialog});

export const isAttached = (tabId: number): boolean => debuggees.get(tabId)?.attached != null;

/** Takes the debugger off: emulation, screencast and added scripts go with it. Never fails. */
export async function detach(tabId: number): Promise<void> {
  const debuggee = debuggees.get(tabId);
  debuggees.delete(tabId);
  clearTimeout(debuggee?.sleepTimer);
  await chrome.debugger.detach({tabId}).catch(() => undefined);
}

/** Chrome took the debugger off. The tab may well be there still: the next operation attaches again. */
export function wasDetached(tabId: number, reason: string): void {
  const debuggee = debuggees.get(tabId);
  if (debuggee === undefined) return;
  debuggee.attached = null;
  debuggee.awake = null;
  clearTimeout(debuggee.sleepTimer);
  happened(tabId, {kind: "detached", reason});
  interrupt(
    tabId,
    new SubletError("frame_unreachable", "Chrome took the debugger off the tab", {details: {reason}}),
  );
}

/** Follows a tab whose id Chrome has changed: the old debuggee is gone, the new one attaches when needed. */
export function replaceDebuggee(removedTabId: number): void {
  wasDetached(removedTabId, "replaced");
  debuggees.delete(removedTabId);
}

async function attach(debuggee: Debuggee): Promise<void> {
  const {tabId} = debuggee;
  try {
    await chrome.debugger.attach({tabId}, "1.3");
  } catch (thrown) {
    // After the worker's restart the debugger is still ours, though Chrome says "already attached": one command tells.
    if (!(await isOurs(tabId))) throw unavailable(thrown);
  }
  await Promise.all([
    send(tabId, "Page.enable"),
    send(tabId, "Inspector.enable"),
    send(tabId, "DOM.enable"),
    send(tabId, "Page.setLifecycleEventsEnabled", {enabled: true}),
    onReady(tabId),
  ]);
}

async function rouse(debuggee: Debuggee): Promise<void> {
  const {tabId} = debuggee;
  await debuggee.attached;
  await Promise.all([
    send(tabId, "Emulation.setFocusEmulationEnabled", {enabled: true}),
    // A background tab draws nothing, and a screenshot of it would hang, unless somebody watches: one pixel will do.
    send(tabId, "Page.startScreencast", screencast).catch((thrown: unknown) => {
      // It outlives the worker: after a restart it runs already.
      if (!(thrown instanceof Error) || !thrown.message.includes("already active")) throw thrown;
    }),
  ]);
}

const screencast = {format: "jpeg", quality: 1, maxWidth: 1, maxHeight: 1, everyNthFrame: 1000};

async function sleep(debuggee: Debuggee): Promise<void> {
  if (debuggee.awake === null || debuggee.interrupts.size > 0) return;
  debuggee.awake = null;
  const {tabId} = debuggee;
  // The tab may be gone by now; then there is nothing to put back.
  await Promise.allSettled([
    send(tabId, "Page.stopScreencast"),
    send(tabId, "Emulation.setFocusEmulationEnabled", {enabled: false}),
  ]);
}

async function isOurs(tabId: number): Promise<boolean> {
  try {
    await send(tabId, "Page.enable");
    return true;
  } catch {
    return false;
  }
}

function unavailable(thrown: unknown): SubletError {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new SubletError(
    "debugger_unavailable",
    `Chrome refuses the debugger on this page: ${reason}`,
    {details: {reason}},
    thrown,
  );
}

function debuggeeOf(tabId: number): Debuggee {
  const known = debuggees.get(tabId);
  if (known !== undefined) return known;
  const debuggee: Debuggee = {
    tabId,
    attached: null,
    awake: null,
    sleepTimer: undefined,
    interrupts: new Set(),
  };
  debuggees.set(tabId, debuggee);
  return debuggee;
}

function within<Result>(wait: Promise<Result>, timeoutMs: number, late: () => SubletError): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), timeoutMs);
    wait.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
