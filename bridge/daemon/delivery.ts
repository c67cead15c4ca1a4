// Brings one operation to the extension and its answer back, over as many connections as it takes, and never lets an
// acting operation happen twice (security 4.6).
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import type {Operation} from "../../shared/operation.ts";
import {extensionMethods, type RunParams} from "../../shared/protocol.ts";
import {type Browsers, browserUnavailable} from "./browsers.ts";
import type {Clock} from "./clock.ts";

export interface Delivery {
  params: RunParams;
  effect: Operation["effect"];
  installId: string;
  /** The operation's own time, in milliseconds; the extension settles it by then. */
  budgetMs: number;
  /** How long the first connection may be waited for, on the clock. */
  firstUntilMs: number;
  signal: AbortSignal;
  /** Set once the operation may have reached the browser: from then on its failure is not "nothing happened". */
  progress: {sent: boolean};
}

/**
 * Resolves with what the extension answered. While the browser is the same one (the same epoch), the very same message
 * is sent again after a lost connection: the extension's journal knows its action_id, and runs, answers or gives up.
 * @throws SubletError browser_unavailable, command_lost, timeout, cancelled, or what the extension threw.
 */
export async function deliver(
  delivery: Delivery,
  browsers: Pick<Browsers, "link">,
  clock: Clock,
): Promise<unknown> {
  const {params, effect, installId, budgetMs, signal, progress} = delivery;
  const answerMs = budgetMs + LIMITS.settleGraceMs;
  let untilMs = delivery.firstUntilMs;
  let epoch: string | undefined;
  let restarts = 0;
  for (;;) {
    const link = await browsers.link(installId, untilMs, signal);
    if (link === null)
      throw progress.sent && effect !== "read" ? lost("the browser went away") : browserUnavailable();
    // Another epoch: the browser was restarted, and its journal knows nothing of what was accepted before.
    if (progress.sent && link.epoch !== epoch) restarts += 1;
    if (restarts > 0 && (effect !== "read" || restarts > 1)) throw lost("the browser was restarted");
    epoch = link.epoch;
    const sentBefore = progress.sent;
    progress.sent = true;
    try {
      return await link.channel.request(extensionMethods.run, params, {
        signal,
        timeoutMs: answerMs + LIMITS.answerOverdueMs,
      });
    } catch (thrown) {
      const error = SubletError.from(thrown);
      if (error.code === "timeout" && effect !== "read") throw lost("the browser gave no answer in time");
      if (error.code !== "command_lost" || !link.channel.closed) throw error;
      if (error.data.details?.sent === false) progress.sent = sentBefore;
      untilMs = Math.max(params.started_at_ms + answerMs, clock.now() + LIMITS.settleGraceMs);
    }
  }
}

const lost = (why: string): SubletError =>
  new SubletError("command_lost", `${why} before the answer came: it may have happened`, {
    details: {reason: why},
  });
