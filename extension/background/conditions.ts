// Waiting until conditions hold: the engine answers for what is in the page, this side for dialogs and tabs. Every
// wait is woken by an event (a mutation, a navigation, a dialog), and ends with time.
import {
  type Condition,
  combine,
  type Finding,
  type LeafCondition,
  leavesOf,
  targetsOf,
} from "../../shared/condition.ts";
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import {type Check, checkOf} from "../../shared/result.ts";
import type {WatchRequest} from "../page/contract.ts";
import type {Workplace} from "./context.ts";
import {currentDialog} from "./dialogs.ts";
import {callEngine} from "./engine.ts";
import type {Frame} from "./frames.ts";
import {happenedSince, onHappening} from "./happenings.ts";
import {assertHeld} from "./leases.ts";
import {pageTarget, placeOf} from "./locate.ts";

/** The findings once all conditions hold, or as they are when time runs out. `mark`: where happenings count from. */
export async function checkConditions(
  work: Workplace,
  conditions: Condition[],
  timeoutMs: number,
  mark: number,
): Promise<Check[]> {
  const deadline = Date.now() + timeoutMs;
  const leaves = conditions.flatMap(leavesOf);
  let known: (Finding | null)[] = leaves.map(() => null);
  for (;;) {
    assertHeld(work.lease);
    const left = deadline - Date.now();
    const looked = await look(work, leaves, known, Math.max(0, left), mark);
    known = looked;
    const checks = judge(conditions, looked);
    if (checks.every((check) => check.status === "passed") || Date.now() >= deadline) return checks;
  }
}

function judge(conditions: Condition[], findings: Finding[]): Check[] {
  const queue = [...findings];
  return conditions.map((condition) => {
    const own = queue.splice(0, leavesOf(condition).length);
    return checkOf(condition, combine(condition, own));
  });
}

/** One look at every leaf. With findings known already, it waits until one of them may have changed. */
async function look(
  work: Workplace,
  leaves: LeafCondition[],
  known: (Finding | null)[],
  timeoutMs: number,
  mark: number,
): Promise<Finding[]> {
  const findings = leaves.map((leaf) => outsidePage(work, leaf, mark));
  const groups =
    currentDialog(work.tabId) === null ? groupByFrame(work, leaves, findings) : new Map<Frame, number[]>();
  const first = known.every((finding) => finding === null);
  const waiting = new AbortController();
  const signal = AbortSignal.any([work.signal, waiting.signal]);
  const outside = first ? null : outsideEvent(work, timeoutMs, signal);
  try {
    const answers = [...groups].map(async ([frame, indexes]) => {
      const waitMs = first ? 0 : timeoutMs;
      const request: WatchRequest = {
        conditions: indexes.flatMap((index) => watched(leaves[index])),
        known: first ? null : indexes.map((index) => known[index] ?? {status: "unknown"}),
        timeoutMs: waitMs,
      };
      const {value} = await callEngine(work.lease, frame, "watch", request, {signal, timeoutMs: waitMs});
      indexes.forEach((index, position) => {
        findings[index] = value[position] ?? null;
      });
    });
    // With one frame its answer wakes us; with several, whichever speaks first does, and all are asked again.
    if (first) await Promise.all(answers);
    else await Promise.race([...answers, ...(outside === null ? [] : [outside])]);
  } catch (thrown) {
    await recover(SubletError.from(thrown), work, timeoutMs);
  } finally {
    waiting.abort(new SubletError("cancelled", "another condition answered first"));
  }
  const dialog = currentDialog(work.tabId);
  return findings.map((finding, index): Finding => {
    if (finding !== null) return finding;
    if (dialog !== null) return {status: "unknown", reason: "dialog_open", observed: {dialog}};
    return known[index] ?? {status: "unknown", reason: "frame_unreachable"};
  });
}

const watched = (leaf: LeafCondition | undefined): WatchRequest["conditions"] => {
  if (leaf === undefined) return [];
  const target = "target" in leaf ? pageTarget(leaf.target) : undefined;
  const within = "within" in leaf && leaf.within !== undefined ? pageTarget(leaf.within) : undefined;
  return [{condition: leaf, ...(target !== undefined && {target}), ...(within !== undefined && {within})}];
};

/** What this side can answer itself; null for what the engine must look at. */
function outsidePage(work: Workplace, leaf: LeafCondition, mark: number): Finding | null {
  const dialog = currentDialog(work.tabId);
  switch (leaf.type) {
    case "dialog_open": {
      const holds = dialog?.message.includes(leaf.text ?? "") === true;
      return {status: holds ? "passed" : "failed", observed: {dialog}};
    }
    case "no_dialog":
      return {status: dialog === null ? "passed" : "failed", observed: {dialog}};
    case "tab_opened": {
      const opened = happenedSince(work.tabId, mark).filter((happening) => happening.kind === "tab_opened");
      const holds = opened.some((tab) => tab.url.includes(leaf.url_contains ?? ""));
      return {status: holds ? "passed" : "failed", observed: {opened: opened.map((tab) => tab.url)}};
    }
    case "download_started":
    case "download_finished":
    case "request":
    case "console_clean":
    case "network_idle":
      return {status: "unknown", reason: "unsupported"};
    default:
      return null;
  }
}

function groupByFrame(
  work: Workplace,
  leaves: LeafCondition[],
  findings: (Finding | null)[],
): Map<Frame, number[]> {
  const groups = new Map<Frame, number[]>();
  leaves.forEach((leaf, index) => {
    if (findings[index] !== null) return;
    const [target] = targetsOf(leaf);
    try {
      const frame = target === undefined ? work.top() : placeOf(work, target).frame;
      groups.set(frame, [...(groups.get(frame) ?? []), index]);
    } catch {
      // Its frame is gone or has no document: unknown, with frame_unreachable as the reason, until it comes.
    }
  });
  return groups;
}

/** Resolves at the next happening that this side's conditions or the choice of frames may depend on. */
function outsideEvent(work: Workplace, timeoutMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const stop = onHappening(work.tabId, finish);
    const timer = setTimeout(finish, timeoutMs);
    signal.addEventListener("abort", finish, {once: true});
  });
}

async function recover(error: SubletError, work: Workplace, timeoutMs: number): Promise<void> {
  if (error.code === "dialog_open" || error.code === "cancelled") return;
  if (error.code !== "frame_unreachable" && error.code !== "timeout") throw error;
  // A navigation took the document; the next one announces itself.
  await outsideEvent(work, Math.min(timeoutMs, LIMITS.unreachablePollMs), work.signal);
}
