// Which tabs an agent acts in at this moment: what a page does then, it does at the agent's hand.
import {markNow} from "./happenings.ts";

/** A pop-up may come a little after the gesture's own events have settled. */
const afterglowMs = 1_000;

interface Acting {
  /** Infinity while the action runs. */
  untilMs: number;
  mark: number;
}

const acting = new Map<number, Acting>();

export async function whileActing<Result>(tabId: number, work: () => Promise<Result>): Promise<Result> {
  const mark = markNow(tabId);
  acting.set(tabId, {untilMs: Number.POSITIVE_INFINITY, mark});
  try {
    return await work();
  } finally {
    acting.set(tabId, {untilMs: Date.now() + afterglowMs, mark});
  }
}

export const isActing = (tabId: number): boolean => (acting.get(tabId)?.untilMs ?? 0) > Date.now();

export const anyActing = (): boolean => [...acting.keys()].some(isActing);

/** Where the tab's last acting operation began, for conditions that speak of happenings; else the claim. */
export const lastActMark = (tabId: number): number => acting.get(tabId)?.mark ?? 0;
