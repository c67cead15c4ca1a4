// At most once (security 4.6): every acting operation is written here before it is dispatched, and its result after.
// When the bridge sends the same action again, the journal answers, and nothing runs twice.
import {LIMITS} from "../../shared/limits.ts";
import type {ActionResult} from "../../shared/result.ts";
import {forget, recall, remember} from "./memory.ts";

interface Entry {
  state: "accepted" | "done" | "evicted";
  at_ms: number;
  result?: ActionResult;
}

const prefix = "journal:";
const entries = new Map<string, Entry>();

export async function loadJournal(): Promise<void> {
  const recorded = [...(await recall<Entry>(prefix))].sort(([, a], [, b]) => a.at_ms - b.at_ms);
  for (const [id, entry] of recorded) entries.set(id, entry);
}

/** What the journal knows of an action: never seen, begun and never ended, or its result. */
export const entryOf = (actionId: string): Entry | undefined => entries.get(actionId);

/** Resolves when the entry is safe from the worker's death; await it before the first input. */
export function accept(actionId: string): Promise<void> {
  const entry: Entry = {state: "accepted", at_ms: Date.now()};
  entries.set(actionId, entry);
  return remember(prefix + actionId, entry);
}

/** Records the result, without its pictures: those were handed over, or are gone. */
export function finish(actionId: string, result: ActionResult): Promise<void> {
  const {evidence: _, ...lean} = result;
  const tooLong = JSON.stringify(lean).length > LIMITS.resultInlineBytes;
  const entry: Entry = tooLong
    ? {state: "evicted", at_ms: Date.now()}
    : {state: "done", at_ms: Date.now(), result: lean};
  entries.set(actionId, entry);
  trim();
  return remember(prefix + actionId, entry);
}

function trim(): void {
  while (entries.size > LIMITS.journalKept) {
    const [oldest] = entries.keys();
    if (oldest === undefined) return;
    entries.delete(oldest);
    void forget(prefix + oldest);
  }
}
