// The event-time guard (spec 4.4): between the check and the press the page may change, so the decision falls when the
// press arrives. A press that would land elsewhere is stopped before the page sees any of it.
import type {Gesture, GuardRecord, Point} from "./contract.ts";
import {hasFocus} from "./focus.ts";
import {innermostAt} from "./hit.ts";
import {factsOf} from "./refs.ts";
import {holds, isElement, shadowRootOf} from "./tree.ts";
import {newTurn} from "./turn.ts";

const pointerTypes = [
  "pointerdown",
  "mousedown",
  "pointerup",
  "mouseup",
  "click",
  "auxclick",
  "contextmenu",
  "dblclick",
] as const;
const keyTypes = ["keydown", "beforeinput"] as const;

interface Armed {
  gesture: Gesture;
  /** What may be pressed, or hold the focus; null in a frame that only stops. */
  accepted: Element[] | null;
  /** Null: every trusted press is taken for ours (the frame is not the target's, its coordinates are not known). */
  point: Point | null;
  /** Decided at the press and kept to its end: what passed is never stopped halfway. */
  verdict: "pass" | "stop" | null;
  pressed: boolean;
  stopped: boolean;
  mouse: boolean;
  record: GuardRecord;
}

let armed: Armed | null = null;
let wasLate = false;
let observer: MutationObserver | null = null;
let domChanged = false;

// A name no page can know of, to find out whether the listeners are still there.
const probe = `p${Math.random().toString(36).slice(2)}`;
let answered = false;

/** Listens from the document's start, and does nothing until a gesture is open. */
export function installGuard(): void {
  // Scripts of the document that ran before us may have listeners that run before ours.
  wasLate =
    document.documentElement !== null && (document.readyState !== "loading" || document.scripts.length > 0);
  listen();
}

export const isLate = (): boolean => wasLate;

/** document.open() removes every listener of the window: they are put back, though now behind the page's. */
export function keepAlive(): void {
  answered = false;
  dispatchEvent(new Event(probe));
  if (answered) return;
  unlisten();
  listen();
  wasLate = true;
}

export function arm(gesture: Gesture, target: Element, accepted: Element[], point: Point | null): void {
  keepAlive();
  armed = fresh(gesture, gesture.kind === "keys" ? [target] : accepted, point);
  watchDom(target);
}

/** In a frame that is not the target's: whatever is pressed here while the gesture is open is stopped. */
export function armStop(gesture: Gesture): void {
  keepAlive();
  armed = fresh(gesture, null, null);
}

/** Ends a gesture, if it is the open one. */
export function disarm(gesture: number): {record: GuardRecord; domChanged: boolean} {
  const ended = armed?.gesture.id === gesture ? armed : null;
  if (ended !== null) armed = null;
  if (observer !== null && observer.takeRecords().length > 0) domChanged = true;
  observer?.disconnect();
  observer = null;
  const record = ended?.record ?? emptyRecord();
  if (ended !== null) record.pointerOnly = ended.pressed && !ended.stopped && !ended.mouse && !record.clicked;
  return {record, domChanged};
}

export function removeGuard(): void {
  armed = null;
  observer?.disconnect();
  observer = null;
  unlisten();
}

const emptyRecord = (): GuardRecord => ({
  press: "none",
  clicked: false,
  keysPassed: 0,
  keysStopped: 0,
  pointerOnly: false,
});

const fresh = (gesture: Gesture, accepted: Element[] | null, point: Point | null): Armed => ({
  gesture,
  accepted,
  point,
  verdict: null,
  pressed: false,
  stopped: false,
  mouse: false,
  record: emptyRecord(),
});

function listen(): void {
  for (const type of pointerTypes) addEventListener(type, onPointer, {capture: true, passive: false});
  for (const type of keyTypes) addEventListener(type, onKey, {capture: true, passive: false});
  addEventListener(probe, onProbe, true);
}

function unlisten(): void {
  for (const type of pointerTypes) removeEventListener(type, onPointer, true);
  for (const type of keyTypes) removeEventListener(type, onKey, true);
  removeEventListener(probe, onProbe, true);
}

function onProbe(event: Event): void {
  answered = true;
  event.stopImmediatePropagation();
}

function onPointer(event: Event): void {
  if (
    armed === null ||
    armed.gesture.kind !== "pointer" ||
    !event.isTrusted ||
    !(event instanceof MouseEvent)
  )
    return;
  if (!isOurs(event, armed)) return;
  if (armed.verdict === null || startsPress(event, armed)) decide(event, armed);
  note(event, armed);
  if (armed.verdict === "stop") stop(event);
}

/** A person's press elsewhere, while ours is under way, is none of our business. */
function isOurs(event: MouseEvent, {point, verdict}: Armed): boolean {
  if (point === null) return true;
  if (Math.abs(event.clientX - point.x) <= 1 && Math.abs(event.clientY - point.y) <= 1) return true;
  // A click that the browser makes up (a label's, on its control) may carry no point: it follows the press.
  return verdict === "stop" && event.detail === 0;
}

/** The second press of a double click is decided anew: the first may have changed what is there. */
const startsPress = (event: MouseEvent, {mouse}: Armed): boolean =>
  event.type === "pointerdown" || (event.type === "mousedown" && mouse && event.detail > 1);

function decide(event: MouseEvent, open: Armed): void {
  newTurn();
  const first = event.composedPath()[0];
  const target = isElement(first) ? innermostAt(first, event.clientX, event.clientY) : null;
  open.verdict = isAccepted(event, target, open) ? "pass" : "stop";
  open.pressed = true;
  if (open.verdict === "pass") {
    open.record.press = "passed";
    return;
  }
  open.stopped = true;
  // Once any press of the gesture has passed, the page has had input, whatever is stopped later.
  if (open.record.press === "none") open.record.press = "stopped";
  const blocker = target ?? document.documentElement;
  if (blocker !== null) open.record.blocker = factsOf(blocker);
}

function isAccepted(event: MouseEvent, target: Element | null, {accepted}: Armed): boolean {
  if (accepted === null || target === null) return false;
  const path = event.composedPath();
  return accepted.some((element) => {
    if (!element.isConnected) return false;
    // In a closed root the path ends at the host; what is really under the point decides.
    return holds(element, target) || (path.includes(element) && shadowRootOf(element) === null);
  });
}

function note(event: MouseEvent, open: Armed): void {
  if (event.type === "mousedown") open.mouse = true;
  if (open.verdict !== "pass") return;
  if (event.type === "click" || event.type === "auxclick" || event.type === "contextmenu")
    open.record.clicked = true;
}

function onKey(event: Event): void {
  if (armed === null || armed.gesture.kind !== "keys" || !event.isTrusted) return;
  const holder = armed.accepted?.[0];
  if (holder !== undefined && holder.isConnected && hasFocus(holder)) {
    armed.record.keysPassed += 1;
    armed.record.press = "passed";
    return;
  }
  armed.record.keysStopped += 1;
  if (armed.record.press === "none") armed.record.press = "stopped";
  stop(event);
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Only between arming and settling: a gesture is short, and a page that nobody acts on pays nothing. */
function watchDom(target: Element): void {
  observer?.disconnect();
  domChanged = false;
  observer = new MutationObserver(() => {
    domChanged = true;
  });
  const everything = {subtree: true, childList: true, attributes: true, characterData: true};
  observer.observe(document, everything);
  const root = target.getRootNode();
  if (root !== document) observer.observe(root, everything);
}
