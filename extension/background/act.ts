// What all input operations share: the attempt, then what the caller expects, then what changed.

import type {Expect} from "../../shared/condition.ts";
import {type ErrorCode, SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import type {ActRequest, ControlState, Failure} from "../page/contract.ts";
import {attempt, type Evidence, type Judgement, type Plan, type Ready, verify} from "./attempt.ts";
import type {Context, Workplace} from "./context.ts";
import {callEngine} from "./engine.ts";
import {whileActing} from "./gesture.ts";
import {markNow} from "./happenings.ts";
import {outlineOf} from "./outline.ts";
import {pageNow} from "./page-now.ts";
import {takePicture} from "./picture.ts";

interface ActingInput {
  expect?: Expect | undefined;
  expect_timeout_ms: number;
  timeout_ms: number;
  observe: boolean;
}

export interface Done {
  evidence: Evidence;
  changes: {changes?: string};
}

/** Runs one plan to its end; throws what went wrong, with all that is known noted in the context. */
export async function act(
  context: Context,
  work: Workplace,
  input: ActingInput,
  plan: Omit<Plan, "timeoutMs">,
): Promise<Done> {
  const mark = markNow(work.tabId);
  try {
    const evidence = await whileActing(work.tabId, () =>
      attempt(context, work, {...plan, timeoutMs: input.timeout_ms}),
    );
    await verify(context, work, input.expect, input.expect_timeout_ms, mark);
    return {
      evidence,
      changes: input.observe
        ? {changes: (await outlineOf(work, {mode: "outline", viewport: false, maxChars: 8_000})).outline}
        : {},
    };
  } catch (thrown) {
    await attachPicture(context, work, SubletError.from(thrown).code);
    throw thrown;
  } finally {
    context.found.page = (await pageNow(work)) ?? context.found.page;
  }
}

/** Pages that cannot be pictured now, or are no longer ours to picture. */
const unpictured: ReadonlySet<ErrorCode> = new Set([
  "dialog_open",
  "page_crashed",
  "page_released",
  "stale_page",
  "cancelled",
]);

/** What the page looked like when it went wrong; within half a second, or not at all. */
async function attachPicture(context: Context, work: Workplace, code: ErrorCode): Promise<void> {
  if (unpictured.has(code) || work.signal.aborted) return;
  const signal = AbortSignal.any([work.signal, AbortSignal.timeout(LIMITS.failureScreenshotMs)]);
  try {
    const {file} = await takePicture(
      {...work, tabId: work.tabId, signal},
      {format: "jpeg", quality: 60, beyondViewport: false},
    );
    context.found.evidence = [file];
  } catch {
    // The failure itself is what the caller must hear of.
  }
}

/** Evidence that every operation may have: the window changed, or the control's own state did. */
export function judgeByState(
  evidence: Evidence,
  meant: (after: ControlState, before: ControlState) => boolean | null,
): Judgement {
  const {settled, prepared, windowChanged} = evidence;
  const verdict = settled?.after == null ? null : meant(settled.after, prepared.before);
  const proof = [
    ...(verdict === true ? [{kind: "value_readback" as const}] : []),
    ...(windowChanged ? [{kind: "window_change" as const}] : []),
  ];
  if (proof.length > 0) return {effect: "confirmed", evidence: proof};
  return {effect: verdict === false ? "suspected_noop" : "unverifiable"};
}

/** What the engine does itself, by the `dom` route. */
export async function actInPage(
  work: Workplace,
  {prepared, frame}: Ready,
  request: Omit<ActRequest, "ref">,
): Promise<Failure | null> {
  const {value} = await callEngine(
    work.lease,
    frame,
    "act",
    {...request, ref: prepared.element.ref},
    {signal: work.signal},
  );
  return value.failed === undefined ? null : value;
}

export const rejected = (what: string, found: unknown): SubletError =>
  new SubletError("value_rejected", `${what} kept another value than the one given`, {
    details: {value: found},
  });
