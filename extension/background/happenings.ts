// What happened in and around a leased tab, in order: navigations, dialogs, tabs opened or closed. An action marks
// the list before it delivers and reads what came after: that is the evidence of a window change (contract 2.2), and
// what conditions that speak of happenings count from.

export type Happening =
  | {kind: "navigation_requested"; frame: string; url: string}
  | {kind: "navigated"; frame: string; url: string; loader: string}
  | {kind: "url_changed"; frame: string; url: string}
  | {kind: "window_open"; url: string}
  | {kind: "tab_opened"; tab_id: string; url: string}
  | {kind: "tab_closed"; tab_id: string}
  | {kind: "dialog_opened"; dialog: Record<string, unknown>}
  | {kind: "dialog_closed"}
  | {kind: "focus_restored"; after_ms: number}
  | {kind: "lifecycle"; frame: string; loader: string; name: string}
  | {kind: "crashed"}
  | {kind: "detached"; reason: string};

/** Kept per tab; older ones are dropped, since nobody looks back further than its last action. */
const kept = 500;

interface Log {
  dropped: number;
  list: Happening[];
  listeners: Set<(happening: Happening) => void>;
}

const logs = new Map<number, Log>();

export function happened(tabId: number, happening: Happening): void {
  const log = logOf(tabId);
  log.list.push(happening);
  if (log.list.length > kept) log.dropped += log.list.splice(0, log.list.length - kept).length;
  for (const listener of log.listeners) listener(happening);
}

/** A place in the list, to read on from. */
export const markNow = (tabId: number): number => logOf(tabId).dropped + logOf(tabId).list.length;

export function happenedSince(tabId: number, mark: number): Happening[] {
  const log = logOf(tabId);
  return log.list.slice(Math.max(0, mark - log.dropped));
}

/** The first happening that matches, from a mark on, waiting for it until time runs out or the signal aborts. */
export function awaitHappening<Found extends Happening>(
  tabId: number,
  mark: number,
  matches: (happening: Happening) => happening is Found,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Found | null> {
  const already = happenedSince(tabId, mark).find(matches);
  if (already !== undefined) return Promise.resolve(already);
  return new Promise((resolve) => {
    const log = logOf(tabId);
    const finish = (found: Found | null) => {
      clearTimeout(timer);
      log.listeners.delete(listener);
      signal?.removeEventListener("abort", onAbort);
      resolve(found);
    };
    const listener = (happening: Happening) => {
      if (matches(happening)) finish(happening);
    };
    const onAbort = () => finish(null);
    const timer = setTimeout(() => finish(null), timeoutMs);
    log.listeners.add(listener);
    signal?.addEventListener("abort", onAbort, {once: true});
  });
}

/** Every happening from now on; the answer stops listening. */
export function onHappening(tabId: number, listener: (happening: Happening) => void): () => void {
  const log = logOf(tabId);
  log.listeners.add(listener);
  return () => log.listeners.delete(listener);
}

export function forgetHappenings(tabId: number): void {
  logs.delete(tabId);
}

function logOf(tabId: number): Log {
  const known = logs.get(tabId);
  if (known !== undefined) return known;
  const log: Log = {dropped: 0, list: [], listeners: new Set()};
  logs.set(tabId, log);
  return log;
}
