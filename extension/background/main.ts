// The service worker's entry. Every listener is registered synchronously, at top level, since the worker may be
// started by any event; each waits until what was remembered is loaded.
import "./jitless.ts";
import {SubletError} from "../../shared/errors.ts";
import {showBadge} from "./badge.ts";
import {dialogIsOpen, interrupt, replaceDebuggee, send, wasDetached} from "./debuggee.ts";
import {dialogClosed, dialogOpened, loadDialogs, mayDiscard} from "./dialogs.ts";
import {loadFocus, tabCreated, tabShown} from "./focus.ts";
import {followFrames, forgetFrames, frameEvent, loadFrames} from "./frames.ts";
import {forgetHappenings, happened} from "./happenings.ts";
import {loadJournal} from "./journal.ts";
import {end, leaseOnTab, loadLeases, onLeaseChange, save} from "./leases.ts";
import {connectBridge, releaseIfAbandoned, reportState} from "./link.ts";
import {recall, remember} from "./memory.ts";
import {servePopup} from "./panel.ts";
import {adoptPopup} from "./popups.ts";
import {loadSessions} from "./sessions.ts";
import {isStopped, loadStop, onStopChange, stopEverything} from "./stop.ts";
import {forgetTab, loadTabs, replaceTab} from "./tabs.ts";

const reconnectAlarm = "reconnect";

followFrames();
const ready = start();
servePopup(ready);

async function start(): Promise<void> {
  await chrome.storage.local.setAccessLevel({accessLevel: "TRUSTED_CONTEXTS"});
  await Promise.all([
    loadTabs(),
    loadSessions(),
    loadLeases(),
    loadJournal(),
    loadDialogs(),
    loadFrames(),
    loadFocus(),
    loadStop(),
  ]);
  showBadge();
  void connectBridge(await epoch());
  await chrome.alarms.create(reconnectAlarm, {periodInMinutes: 0.5});
}

/** The same for as long as the browser runs: the bridge tells by it whether only the worker restarted. */
async function epoch(): Promise<string> {
  const known = (await recall<string>("epoch")).get("");
  if (known !== undefined) return known;
  const fresh = crypto.randomUUID();
  await remember("epoch", fresh);
  return fresh;
}

for (const follow of [onLeaseChange, onStopChange]) {
  follow(() => {
    showBadge();
    reportState();
  });
}

chrome.alarms.onAlarm.addListener(async () => {
  await ready;
  await releaseIfAbandoned();
  await connectBridge(await epoch());
});
chrome.runtime.onStartup.addListener(() => undefined);
chrome.runtime.onInstalled.addListener(() => undefined);

chrome.debugger.onEvent.addListener(async (source, method, params) => {
  await ready;
  if (source.tabId !== undefined)
    debuggerEvent(source.tabId, sessionOf(source), method, (params ?? {}) as Record<string, unknown>);
});

chrome.debugger.onDetach.addListener(async (source, reason) => {
  await ready;
  if (source.tabId === undefined) return;
  wasDetached(source.tabId, reason);
  // Cancel on Chrome's own bar means every tab, and Chrome would let us attach again at once: the stop is ours to keep.
  if (reason === "canceled_by_user" && !isStopped()) await stopEverything();
});

chrome.tabs.onRemoved.addListener(async (tabId) => {
  await ready;
  const lease = leaseOnTab(tabId);
  if (lease !== undefined) end(lease, "person");
  interrupt(tabId, new SubletError("stale_page", "the tab was closed"));
  wasDetached(tabId, "tab_closed");
  forgetTab(tabId);
  forgetFrames(tabId);
  forgetHappenings(tabId);
  dialogClosed(tabId);
});

chrome.tabs.onCreated.addListener((tab) => {
  if (tab.id !== undefined) tabCreated(tab.id);
});

chrome.tabs.onActivated.addListener(async ({tabId, windowId}) => {
  await ready;
  tabShown(tabId, windowId);
});

chrome.tabs.onReplaced.addListener(async (addedTabId, removedTabId) => {
  await ready;
  replaceTab(addedTabId, removedTabId);
  replaceDebuggee(removedTabId);
  const lease = leaseOnTab(removedTabId);
  if (lease === undefined) return;
  lease.tab_id = addedTabId;
  save(lease);
});

chrome.webNavigation.onCreatedNavigationTarget.addListener(async (details) => {
  await ready;
  await adoptPopup(details.sourceTabId, details.tabId, details.url);
});

/** The session of an out-of-process frame's events; the types know no such field yet. */
const sessionOf = (source: chrome.debugger.Debuggee): string | undefined =>
  "sessionId" in source && typeof source.sessionId === "string" ? source.sessionId : undefined;

function debuggerEvent(
  tabId: number,
  sessionId: string | undefined,
  method: string,
  params: Record<string, unknown>,
): void {
  frameEvent(tabId, sessionId, method, params);
  switch (method) {
    case "Page.frameNavigated": {
      const frame = params.frame as {id: string; url: string; loaderId: string};
      return happened(tabId, {kind: "navigated", frame: frame.id, url: frame.url, loader: frame.loaderId});
    }
    case "Page.navigatedWithinDocument":
      return happened(tabId, {kind: "url_changed", frame: String(params.frameId), url: String(params.url)});
    case "Page.frameRequestedNavigation":
      return happened(tabId, {
        kind: "navigation_requested",
        frame: String(params.frameId),
        url: String(params.url),
      });
    case "Page.lifecycleEvent":
      return happened(tabId, {
        kind: "lifecycle",
        frame: String(params.frameId),
        loader: String(params.loaderId),
        name: String(params.name),
      });
    case "Page.windowOpen":
      return happened(tabId, {kind: "window_open", url: String(params.url)});
    case "Page.javascriptDialogOpening":
      return dialogOpening(tabId, params);
    case "Page.javascriptDialogClosed":
      dialogClosed(tabId);
      return happened(tabId, {kind: "dialog_closed"});
    case "Page.screencastFrame":
      return void send(tabId, "Page.screencastFrameAck", {sessionId: params.sessionId}).catch(
        () => undefined,
      );
    case "Inspector.targetCrashed":
      happened(tabId, {kind: "crashed"});
      return interrupt(tabId, new SubletError("page_crashed", "the page's process died"));
  }
}

function dialogOpening(tabId: number, params: Record<string, unknown>): void {
  const type = String(params.type);
  // The caller has said that what the page asks about may be lost: nobody else is asked.
  if (type === "beforeunload" && mayDiscard(tabId)) {
    void send(tabId, "Page.handleJavaScriptDialog", {accept: true}).catch(() => undefined);
    return;
  }
  const defaultPrompt = typeof params.defaultPrompt === "string" ? params.defaultPrompt : "";
  const dialog = dialogOpened(tabId, {
    type,
    message: String(params.message),
    defaultPrompt,
    url: String(params.url),
  });
  happened(tabId, {kind: "dialog_opened", dialog: {...dialog}});
  interrupt(tabId, dialogIsOpen(dialog));
}
