// Calls into the page engine of one frame, through its isolated world.
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import type {PageFacts} from "../../shared/result.ts";
import type {Answer, CallFrame, EngineCall, EngineCalls} from "../page/contract.ts";
import {send, untilInterrupted} from "./debuggee.ts";
import {contextOf, engineSource, type Frame} from "./frames.ts";
import {type Lease, raiseRefBase} from "./leases.ts";

interface Evaluated {
  result: {value?: unknown};
  exceptionDetails?: {text: string; exception?: {description?: string; className?: string}};
}

export interface CallOptions {
  /** Ends the wait; the lease's own end does so in any case. */
  signal: AbortSignal;
  /** How long the call itself may take, for those that wait inside the page. */
  timeoutMs?: number;
}

/** One call. A document that goes away under it is `frame_unreachable`, which is worth another try before any input. */
export async function callEngine<Name extends EngineCall>(
  lease: Lease,
  frame: Frame,
  name: Name,
  request: EngineCalls[Name]["request"],
  {signal, timeoutMs = LIMITS.cdpCallMs}: CallOptions,
): Promise<{value: EngineCalls[Name]["value"]; page: PageFacts}> {
  const facts: CallFrame = {prefix: frame.number === 0 ? "" : `f${frame.number}`, base: lease.ref_base};
  const expression = `sublet.call(${JSON.stringify(name)},${JSON.stringify(facts)},${JSON.stringify(request)})`;
  const answer = await untilInterrupted(lease.tab_id, evaluate(frame, expression, timeoutMs), signal);
  const {value, page, base} = answer as Answer<EngineCalls[Name]["value"]>;
  raiseRefBase(lease, base);
  return {value, page};
}

async function evaluate(frame: Frame, expression: string, timeoutMs: number): Promise<unknown> {
  const first = await evaluateOnce(frame, expression, timeoutMs);
  if (first.exceptionDetails === undefined) return first.result.value;
  // A document that Chrome made without running added scripts (some initial about:blank ones) has no engine yet.
  if (!isMissingEngine(first)) throw crashed(first);
  await evaluateOnce(frame, await engineSource(), timeoutMs);
  const second = await evaluateOnce(frame, expression, timeoutMs);
  if (second.exceptionDetails !== undefined) throw crashed(second);
  return second.result.value;
}

async function evaluateOnce(frame: Frame, expression: string, timeoutMs: number): Promise<Evaluated> {
  try {
    const contextId = await contextOf(frame);
    return await send<Evaluated>(
      frame.tabId,
      "Runtime.evaluate",
      {expression, contextId, awaitPromise: true, returnByValue: true},
      {sessionId: frame.sessionId, timeoutMs: timeoutMs + LIMITS.settleGraceMs},
    );
  } catch (thrown) {
    if (thrown instanceof SubletError) throw thrown;
    frame.context = null;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new SubletError(
      "frame_unreachable",
      "the document went away, or is not there yet",
      {details: {reason}},
      thrown,
    );
  }
}

const isMissingEngine = (answer: Evaluated): boolean =>
  answer.exceptionDetails?.exception?.className === "ReferenceError";

const crashed = (answer: Evaluated): SubletError =>
  new SubletError("command_failed", "the page engine failed", {
    details: {
      cause: answer.exceptionDetails?.exception?.description ?? answer.exceptionDetails?.text ?? "unknown",
    },
  });
