// The person's focus. Chrome brings a page-opened tab to the front, and one whose page asks before it is left; while
// an agent acts in a tab that the person is not looking at, their tab is made active again at once (contract 2.9.4).
import {anyActing, isActing} from "./gesture.ts";
import {happened} from "./happenings.ts";
import {recall, remember} from "./memory.ts";

const prefix = "looked:";
/** Who opened a new tab is known some milliseconds after Chrome shows it; later than this it was the person. */
const openerKnownMs = 250;

/** Window → the tab that the person looks at there, as the person chose it. */
const looked = new Map<number, number>();
/** New tab → the leased tab whose page opened it; null while that is not known. */
const fresh = new Map<number, number | null>();

export async function loadFocus(): Promise<void> {
  for (const [window, tab] of await recall<number>(prefix)) looked.set(Number(window), tab);
  for (const tab of await chrome.tabs.query({active: true}))
    if (tab.id !== undefined) keep(tab.windowId, tab.id);
}

/** Takes note of `tabs.onCreated`. */
export function tabCreated(tabId: number): void {
  if (!anyActing()) return;
  fresh.set(tabId, null);
  setTimeout(() => fresh.delete(tabId), openerKnownMs);
}

/** A tab turns out to be opened by a leased tab's page: if Chrome has shown it, that was not the person's wish. */
export async function openedByPage(tabId: number, sourceTabId: number): Promise<void> {
  if (!isActing(sourceTabId)) return;
  fresh.set(tabId, sourceTabId);
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  if (tab?.active === true) await giveBack(tabId, sourceTabId, tab.windowId);
}

/** Takes note of `tabs.onActivated`. */
export function tabShown(tabId: number, windowId: number): void {
  const source = isActing(tabId) ? tabId : fresh.get(tabId);
  if (source === undefined) keep(windowId, tabId);
  else if (source !== null) void giveBack(tabId, source, windowId);
  else setTimeout(() => void keepIfStill(tabId, windowId), openerKnownMs);
}

async function giveBack(shown: number, source: number, windowId: number): Promise<void> {
  const before = looked.get(windowId);
  // In a tab that the person is looking at, what its page opens may come to the front, as it would for them.
  if (before === undefined || before === shown || before === source) return keep(windowId, shown);
  const began = performance.now();
  try {
    await chrome.tabs.update(before, {active: true});
    happened(source, {kind: "focus_restored", after_ms: Math.round(performance.now() - began)});
  } catch {
    // The person has closed that tab meanwhile: what they look at now is theirs to choose.
    keep(windowId, shown);
  }
}

async function keepIfStill(tabId: number, windowId: number): Promise<void> {
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  if (tab?.active === true) keep(windowId, tabId);
}

function keep(windowId: number, tabId: number): void {
  looked.set(windowId, tabId);
  void remember(prefix + windowId, tabId);
}
