// The only retry loop (contract 2.4): prepare until ready or out of time, deliver once, settle. While no input has
// reached the page a recoverable failure is tried again; once it has, nothing is ever sent again.
import {asConditions, type Condition, type Expect} from "../../shared/condition.ts";
import {ERRORS, SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import {type Action, verificationOf} from "../../shared/result.ts";
import {describeTarget, type Target} from "../../shared/target.ts";
import type {
  Failure,
  Gesture,
  GuardRecord,
  Outcome,
  Point,
  Prepared,
  PrepareRequest,
  Purpose,
  Settled,
} from "../page/contract.ts";
import {checkConditions} from "./conditions.ts";
import type {Context, Workplace} from "./context.ts";
import {dialogIsOpen, untilInterrupted} from "./debuggee.ts";
import {currentDialog} from "./dialogs.ts";
import {callEngine} from "./engine.ts";
import {type Frame, framesOf, offsetOf} from "./frames.ts";
import {type Happening, happenedSince, markNow} from "./happenings.ts";
import {pageMayHaveSeen} from "./late.ts";
import {assertHeld} from "./leases.ts";
import {placeOf} from "./locate.ts";
import {noteHappenings, windowChanged} from "./notes.ts";

export interface Plan {
  target: Target | null;
  purpose: Purpose;
  /** What the guard is armed for; null when the operation sends no input events. */
  gesture: Omit<Gesture, "id"> | null;
  route: Action["route"];
  /** More of the engine's prepare request: position, value, options, checked. */
  request?: Partial<PrepareRequest>;
  timeoutMs: number;
  /** Sends the input, once. An answered failure says that nothing was sent after all. */
  deliver(ready: Ready): Promise<Failure | null>;
  /** What the read-back means for this operation. */
  judge(evidence: Evidence): Judgement;
  /** What a fill meant to write, for comparing a value that must not be shown. */
  meant?: string | undefined;
}

export interface Ready {
  prepared: Prepared;
  frame: Frame;
  point: Point | null;
}

/** What is known after delivery. `settled` is null when the record was lost with its document. */
export interface Evidence {
  prepared: Prepared;
  settled: Settled | null;
  happenings: Happening[];
  windowChanged: boolean;
}

export interface Judgement {
  effect: Action["effect"];
  evidence?: Action["evidence"];
  delivered_count?: number;
  error?: SubletError;
}

interface Tries {
  deadline: number;
  count: number;
  why: string;
}

let gestures = 0;

/** Runs one input operation, and fills `context.found`. Answers with what was read back; throws what went wrong. */
export async function attempt(context: Context, work: Workplace, plan: Plan): Promise<Evidence> {
  const tries: Tries = {deadline: Date.now() + plan.timeoutMs, count: 0, why: ""};
  for (;;) {
    const ready = await prepareUntilReady(context, work, plan, tries);
    const evidence = await deliverOnce(context, work, plan, ready);
    if ("again" in evidence) {
      await anotherTry(work, evidence.again, tries, ready.frame);
      continue;
    }
    if (tries.count > 0) context.found.notes.push({note: "retried", times: tries.count, why: tries.why});
    return evidence;
  }
}

/** Waits for what the caller expects, notes it in the result, and fails when it did not hold. */
export async function verify(
  context: Context,
  work: Workplace,
  expect: Expect | undefined,
  timeoutMs: number,
  mark: number,
): Promise<void> {
  if (expect === undefined) {
    context.found.verification = verificationOf([]);
    return;
  }
  const conditions: Condition[] = asConditions(expect);
  const checks = await checkConditions(work, conditions, timeoutMs, mark);
  const verification = verificationOf(checks);
  context.found.verification = verification;
  if (verification.status === "passed") return;
  const failed = checks.filter((check) => check.status !== "passed");
  const what = failed.map((check) => check.condition.type).join(", ");
  const unknown = verification.status === "unknown";
  throw new SubletError(
    unknown ? "expectation_unknown" : "expectation_failed",
    unknown ? `could not be proven either way: ${what}` : `did not hold within ${timeoutMs} ms: ${what}`,
    {expect: conditions, failed, state: context.found.page},
  );
}

async function prepareUntilReady(
  context: Context,
  work: Workplace,
  plan: Plan,
  tries: Tries,
): Promise<Ready> {
  for (;;) {
    assertHeld(work.lease);
    if (context.signal.aborted)
      throw new SubletError("cancelled", `${context.run.op} was cancelled before any input`);
    const dialog = currentDialog(work.tabId);
    if (dialog !== null) throw dialogIsOpen(dialog);
    const failure = await prepareOnce(context, work, plan);
    if (!("failed" in failure)) return failure;
    await anotherTry(work, failure, tries, null);
  }
}

async function prepareOnce(context: Context, work: Workplace, plan: Plan): Promise<Ready | Failure> {
  try {
    const place = plan.target === null ? {frame: work.top(), target: null} : placeOf(work, plan.target);
    gestures += 1;
    const gesture: Gesture | null = plan.gesture === null ? null : {...plan.gesture, id: gestures};
    const request: PrepareRequest = {...plan.request, target: place.target, purpose: plan.purpose, gesture};
    const [{value: prepared, page}, offset] = await Promise.all([
      callEngine(work.lease, place.frame, "prepare", request, {signal: work.signal}),
      offsetOf(place.frame),
      gesture === null ? undefined : armOthers(work, place.frame, gesture),
      context.journaled,
    ]);
    context.found.page = place.frame.parent === null ? page : context.found.page;
    if (prepared.failed !== undefined) return prepared;
    noteFound(context, prepared);
    const point =
      prepared.point === null ? null : {x: prepared.point.x + offset.x, y: prepared.point.y + offset.y};
    return {prepared, frame: place.frame, point};
  } catch (thrown) {
    // A document that is going away or not there yet is one more reason to try again.
    const error = SubletError.from(thrown);
    if (ERRORS[error.code].recoverable) return {failed: error.code, message: error.message, data: error.data};
    throw error;
  }
}

/** Delivers and settles. The guard may have stopped the gesture before the page saw it: then it may be tried again. */
async function deliverOnce(
  context: Context,
  work: Workplace,
  plan: Plan,
  ready: Ready,
): Promise<Evidence | {again: Failure}> {
  const {prepared, frame} = ready;
  assertHeld(work.lease);
  if (prepared.already)
    return concluded(context, plan, {prepared, settled: null, happenings: [], windowChanged: false});
  const mark = markNow(work.tabId);
  // From here on the result must not say "refused" unless the guard's own record says that nothing arrived.
  context.found.action = {effect: "unverifiable", route: plan.route, delivery: {mode: "unknown"}};
  const delivery = await delivered(work, plan, ready);
  if ("failed" in delivery) {
    context.found.action = {effect: "refused", route: plan.route};
    return {again: delivery};
  }
  const {interruption} = delivery;
  const settled = interruption === null ? await settle(work, plan, ready) : null;
  const others =
    plan.gesture === null || settled?.guard?.press === "passed" ? [] : await disarmOthers(work, frame);
  const stopped = await guardVerdict(plan, ready, settled, others);
  if (stopped !== null) {
    if (stopped.pageSaw) {
      context.found.action = unverifiable(plan);
      throw new SubletError("intercepted", stopped.failure.message, {
        ...stopped.failure.data,
        details: {page_saw: true},
      });
    }
    context.found.action = {effect: "refused", route: plan.route};
    if (stopped.failure.failed === "not_delivered") {
      context.found.action = {
        ...context.found.action,
        escalation: {target: "page", reason: "delivery_failed"},
      };
      throw new SubletError("not_delivered", stopped.failure.message, stopped.failure.data);
    }
    return {again: stopped.failure};
  }
  const happenings = happenedSince(work.tabId, mark);
  noteHappenings(context, happenings, settled?.domChanged === true);
  if (
    interruption !== null &&
    interruption.code !== "dialog_open" &&
    interruption.code !== "frame_unreachable"
  ) {
    context.found.action = unverifiable(plan);
    throw interruption;
  }
  return concluded(context, plan, {
    prepared,
    settled,
    happenings,
    windowChanged: windowChanged(happenings, frame),
  });
}

/** The input itself. A dialog or a navigation that it causes ends the wait; that is no failure. */
async function delivered(
  work: Workplace,
  plan: Plan,
  ready: Ready,
): Promise<Failure | {interruption: SubletError | null}> {
  try {
    const failure = await untilInterrupted(work.tabId, plan.deliver(ready), work.signal);
    return failure ?? {interruption: null};
  } catch (thrown) {
    return {interruption: SubletError.from(thrown)};
  }
}

async function settle(work: Workplace, plan: Plan, {prepared, frame}: Ready): Promise<Settled | null> {
  const gesture = plan.gesture === null ? null : gestures;
  try {
    const request = {gesture, ref: prepared.element.ref, meant: plan.meant, options: plan.request?.options};
    return (await callEngine(work.lease, frame, "settle", request, {signal: work.signal})).value;
  } catch {
    // The document went with its record: a navigation, a dialog, a crash. What happened around it tells the rest.
    return null;
  }
}

interface Stopped {
  failure: Failure;
  pageSaw: boolean;
}

/** What the guards of all frames say of the gesture; null when it arrived where it should, or the record is lost. */
async function guardVerdict(
  plan: Plan,
  ready: Ready,
  settled: Settled | null,
  others: GuardRecord[],
): Promise<Stopped | null> {
  if (plan.gesture === null || settled?.guard == null) return null;
  const {guard} = settled;
  const target = plan.target === null ? "the focused element" : describeTarget(plan.target);
  if (plan.gesture.kind === "keys") {
    if (guard.keysPassed > 0 || guard.keysStopped === 0) return null;
    return {
      failure: intercepted(`the focus left ${target} before the key`, guard),
      pageSaw: ready.prepared.late && (await pageMayHaveSeen(ready.frame, "keys")),
    };
  }
  if (guard.press === "passed") return null;
  const stoppedElsewhere = others.find((other) => other.press === "stopped");
  if (guard.press === "stopped" || stoppedElsewhere !== undefined) {
    const by = guard.press === "stopped" ? guard : stoppedElsewhere;
    const failure = intercepted(`another element was over ${target} when the press came`, by);
    return {failure, pageSaw: ready.prepared.late && (await pageMayHaveSeen(ready.frame, "pointer"))};
  }
  return {
    failure: {
      failed: "not_delivered",
      message: `the browser took the press on ${target}, and the page never saw it`,
    },
    pageSaw: false,
  };
}

const intercepted = (message: string, guard: GuardRecord | undefined): Failure => ({
  failed: "intercepted",
  message:
    guard?.blocker === undefined ? message : `${message}: ${guard.blocker.role} "${guard.blocker.name}"`,
  ...(guard?.blocker !== undefined && {data: {blocker: guard.blocker}}),
});

function concluded(context: Context, plan: Plan, evidence: Evidence): Evidence {
  const judgement = plan.judge(evidence);
  const delivered_count = judgement.delivered_count;
  context.found.action = {
    effect: judgement.effect,
    route: plan.route,
    delivery: {
      mode: evidence.prepared.already ? "not_applicable" : "background",
      ...(delivered_count !== undefined && {delivered_count}),
    },
    ...(judgement.evidence !== undefined && judgement.evidence.length > 0 && {evidence: judgement.evidence}),
    ...(judgement.effect === "suspected_noop" && {
      escalation: {target: "page" as const, reason: "suspected_noop" as const},
    }),
  };
  if (judgement.error !== undefined) throw judgement.error;
  return evidence;
}

const unverifiable = (plan: Plan): Action => ({
  effect: "unverifiable",
  route: plan.route,
  delivery: {mode: "background"},
});

/** Waits for a reason to try again, or throws the failure when it is final or time has run out. */
async function anotherTry(
  work: Workplace,
  failure: Failure,
  tries: Tries,
  frame: Frame | null,
): Promise<void> {
  const left = tries.deadline - Date.now();
  if (!ERRORS[failure.failed].recoverable || left <= 0)
    throw new SubletError(failure.failed, failure.message, failure.data);
  tries.count += 1;
  tries.why = failure.failed;
  await somethingChanged(work, frame, Math.min(left, LIMITS.retryPollMs));
}

async function somethingChanged(work: Workplace, frame: Frame | null, timeoutMs: number): Promise<void> {
  try {
    await callEngine(
      work.lease,
      frame ?? work.top(),
      "changed",
      {timeoutMs},
      {signal: work.signal, timeoutMs},
    );
  } catch (thrown) {
    const error = SubletError.from(thrown);
    if (error.code !== "frame_unreachable") throw error;
    // There is no document to ask just now: the next one announces itself, and this is the net under it.
    await new Promise((resolve) => setTimeout(resolve, Math.min(timeoutMs, LIMITS.unreachablePollMs)));
  }
}

/** All frames but the target's stop whatever lands in them while the gesture is open. */
async function armOthers(work: Workplace, target: Frame, gesture: Gesture): Promise<void> {
  if (gesture.kind === "keys") return;
  await Promise.all(
    otherFrames(work, target).map((frame) =>
      quietly(callEngine(work.lease, frame, "arm_stop", {gesture}, {signal: work.signal})),
    ),
  );
}

async function disarmOthers(work: Workplace, target: Frame): Promise<GuardRecord[]> {
  const answers = otherFrames(work, target).map((frame) =>
    quietly(callEngine(work.lease, frame, "disarm", {gesture: gestures}, {signal: work.signal})),
  );
  return (await Promise.all(answers)).flatMap((answer) => (answer === null ? [] : [answer.value]));
}

const otherFrames = (work: Workplace, target: Frame): Frame[] =>
  framesOf(work.tabId).filter((frame) => frame.id !== target.id);

/** A frame that is just going away cannot be armed, and cannot take a press either. */
const quietly = <Value>(call: Promise<Value>): Promise<Value | null> => call.catch(() => null);

function noteFound(context: Context, prepared: Outcome<Prepared> & Prepared): void {
  const {element, strategy, candidates} = prepared;
  context.found.target = {element, strategy, candidates};
  if (prepared.rebound) context.found.notes.push({note: "ref_rebound", ref: element.ref});
  if (prepared.scrolled && !context.found.notes.some((note) => note.note === "scrolled_into_view")) {
    context.found.notes.push({note: "scrolled_into_view"});
  }
}
