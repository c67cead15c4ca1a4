// One acting operation a tab at a time, in the order they came; tabs side by side.
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";

const tails = new Map<string, {last: Promise<unknown>; waiting: number}>();
let total = 0;

export async function inOrder<Result>(
  key: string,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const queue = tails.get(key) ?? {last: Promise.resolve(), waiting: 0};
  if (queue.waiting > LIMITS.queuePerTab || total > LIMITS.queueTotal) {
    throw new SubletError("busy", `${queue.waiting} operations wait on tab ${key} already, ${total} in all`);
  }
  tails.set(key, queue);
  queue.waiting += 1;
  total += 1;
  const turn = queue.last.then(() => {
    if (signal.aborted) throw new SubletError("cancelled", "cancelled while it waited for the tab");
    return work();
  });
  queue.last = turn.catch(() => undefined);
  try {
    return await turn;
  } finally {
    queue.waiting -= 1;
    total -= 1;
    if (queue.waiting === 0) tails.delete(key);
  }
}
