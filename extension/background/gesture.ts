// Which tabs an agent's gesture is under way in: what a page does then, it does at the agent's hand.

import {markNow} from "./happenings.ts";

const acting = new Map<number, number>();
const marks = new Map<number, number>();
/** A pop-up may come a little after the gesture's own events have settled. */
const afterglowMs = 1_000;

export async function whileActing<Result>(tabId: number, work: () => Promise<Result>): Promise<Result> {
  acting.set(tabId, Number.POSITIVE_INFINITY);
  marks.set(tabId, markNow(tabId));
  try {
    return await work();
  } finally {
    acting.set(tabId, Date.now() + afterglowMs);
  }
}

export const isActing = (tabId: number): boolean => (acting.get(tabId) ?? 0) > Date.now();

/** Where the tab's last acting operation began, for conditions that speak of happenings; else the claim. */
export const lastActMark = (tabId: number): number => marks.get(tabId) ?? 0;
