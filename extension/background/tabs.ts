// Tabs and their handles: t3 stands for one tab for as long as it lives, also when Chrome replaces its id, and is
// never given to another.
import {SubletError} from "../../shared/errors.ts";
import {forget, recall, recallForever, remember, rememberForever} from "./memory.ts";

export type ChromeTab = chrome.tabs.Tab & {id: number};

const prefix = "tab:";
const handles = new Map<number, string>();
let count = 0;

export async function loadTabs(): Promise<void> {
  count = (await recallForever<number>("tab_count")) ?? 0;
  for (const [tabId, handle] of await recall<string>(prefix)) handles.set(Number(tabId), handle);
}

/** The tab's handle, given at the first time that anyone asks. */
export function handleOf(tabId: number): string {
  const known = handles.get(tabId);
  if (known !== undefined) return known;
  count += 1;
  const handle = `t${count}`;
  handles.set(tabId, handle);
  void rememberForever("tab_count", count);
  void remember(prefix + tabId, handle);
  return handle;
}

/** Chrome's id of a handle's tab, or undefined when it is gone or never was. */
export function tabIdOf(handle: string): number | undefined {
  for (const [tabId, known] of handles) if (known === handle) return tabId;
  return undefined;
}

/** True for a handle that was given out once, whether its tab is still there or not. */
export function wasGiven(handle: string): boolean {
  const match = /^t(\d+)$/.exec(handle);
  return match !== null && Number(match[1]) <= count;
}

export function replaceTab(addedTabId: number, removedTabId: number): void {
  const handle = handles.get(removedTabId);
  if (handle === undefined) return;
  handles.delete(removedTabId);
  handles.set(addedTabId, handle);
  void forget(prefix + removedTabId);
  void remember(prefix + addedTabId, handle);
}

export function forgetTab(tabId: number): void {
  handles.delete(tabId);
  void forget(prefix + tabId);
}

export const isTab = (tab: chrome.tabs.Tab): tab is ChromeTab =>
  tab.id !== undefined && tab.id !== chrome.tabs.TAB_ID_NONE;

/** Every tab of every normal window; incognito ones are not even looked at. */
export async function allTabs(): Promise<ChromeTab[]> {
  const tabs = await chrome.tabs.query({});
  return tabs.filter(isTab).filter((tab) => !tab.incognito);
}

/** The tab as Chrome has it now, or null when it is gone. */
export async function tabNow(tabId: number): Promise<ChromeTab | null> {
  try {
    const tab = await chrome.tabs.get(tabId);
    return isTab(tab) ? tab : null;
  } catch {
    return null;
  }
}

export async function tabStillThere(tabId: number, handle: string): Promise<ChromeTab> {
  const tab = await tabNow(tabId);
  if (tab === null) throw new SubletError("stale_page", `tab ${handle} is gone`);
  return tab;
}

export const urlOf = (tab: chrome.tabs.Tab): string => tab.url || tab.pendingUrl || "";
