// Results that are kept for a while: long ones, to be read in parts (contract 2.8), and those of operations to which
// the caller gave an op_id, to be answered again (security 4.6). One bound for both: the oldest goes first.
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import type {ActionResult} from "../../shared/result.ts";

export interface Part {
  text: string;
  complete: boolean;
  next_start: number | null;
  total_chars: number;
}

export interface Results {
  /** The result as its caller gets it: a long `data` is set aside, and a note says where to read it. */
  trimmed(result: ActionResult): ActionResult;
  /** Keeps the whole result for a repeated op_id. */
  record(result: ActionResult): void;
  recorded(sessionId: string, actionId: string): ActionResult | undefined;
  /** @throws SubletError result_evicted, invalid_arguments when it is none of the session's. */
  read(sessionId: string, resultId: string, start: number, maxChars: number): Part;
}

interface Kept {
  session_id: string;
  text?: string;
  result?: ActionResult;
}

export function createResults(limit: number = LIMITS.resultsKept): Results {
  const kept = new Map<string, Kept>();

  return {
    trimmed(result) {
      if (result.data === undefined) return result;
      const text = JSON.stringify(result.data);
      if (text.length * 3 <= LIMITS.resultInlineBytes || Buffer.byteLength(text) <= LIMITS.resultInlineBytes)
        return result;
      keep(result, {text});
      const {data: _, ...rest} = result;
      const note = {
        note: "result_kept_aside" as const,
        result_id: result.action_id,
        total_chars: text.length,
      };
      return {...rest, notes: [...(result.notes ?? []), note]};
    },
    record: (result) => keep(result, {result}),
    recorded(sessionId, actionId) {
      const entry = touch(actionId);
      return entry?.session_id === sessionId ? entry.result : undefined;
    },
    read(sessionId, resultId, start, maxChars) {
      const entry = touch(resultId);
      if (entry === undefined && wasMinted(sessionId, resultId)) {
        throw new SubletError(
          "result_evicted",
          `the result ${resultId} is no longer kept, or was short enough to be answered at once`,
        );
      }
      if (entry?.text === undefined || entry.session_id !== sessionId) {
        throw new SubletError("invalid_arguments", `${resultId} is no long result of this session`, {
          details: {issues: [{path: "result_id", expected: "the result_id of a result_kept_aside note"}]},
        });
      }
      return part(entry.text, start, maxChars);
    },
  };

  function keep(result: ActionResult, what: {text?: string; result?: ActionResult}): void {
    const entry = {...kept.get(result.action_id), session_id: result.session_id, ...what};
    kept.delete(result.action_id);
    kept.set(result.action_id, entry);
    for (const oldest of kept.keys()) {
      if (kept.size <= limit) break;
      kept.delete(oldest);
    }
  }

  /** A read makes it the youngest again. */
  function touch(actionId: string): Kept | undefined {
    const entry = kept.get(actionId);
    if (entry === undefined) return undefined;
    kept.delete(actionId);
    kept.set(actionId, entry);
    return entry;
  }
}

/** An action id of this very session: `s1-2` is one of `s1`. */
const wasMinted = (sessionId: string, resultId: string): boolean =>
  resultId.startsWith(`${sessionId}-`) && /^\d+$/.test(resultId.slice(sessionId.length + 1));

function part(text: string, start: number, maxChars: number): Part {
  let end = Math.min(text.length, start + maxChars);
  // A pair of surrogates is one character to whoever reads it.
  if (end < text.length && end - start > 1 && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
  const complete = end >= text.length;
  return {
    text: text.slice(start, end),
    complete,
    next_start: complete ? null : end,
    total_chars: text.length,
  };
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
