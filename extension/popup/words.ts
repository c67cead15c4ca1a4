// Times and addresses in the words that the popup shows.

/** "just now", "40 s ago", "3 min ago", then the time of day. */
export function ago(thenMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - thenMs) / 1000));
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return `at ${clock(thenMs, nowMs)}`;
}

/** The time of day, with the date when it was not today. */
export function clock(thenMs: number, nowMs: number): string {
  const then = new Date(thenMs);
  const today = then.toDateString() === new Date(nowMs).toDateString();
  const date: Intl.DateTimeFormatOptions = today ? {} : {day: "numeric", month: "short"};
  return then.toLocaleString([], {...date, hour: "2-digit", minute: "2-digit"});
}

const hostMax = 40;

/** Where a page is, as short as it may be. Of a very long host its end is kept: that is the part that names the owner. */
export function hostOf(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host || url : url;
  return host.length > hostMax ? `…${host.slice(1 - hostMax)}` : host;
}

export const tabsInWords = (count: number): string => (count === 1 ? "1 tab" : `${count} tabs`);
