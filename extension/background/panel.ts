// The popup's other end: what it shows, and the few things it may ask for. Only our own popup page is listened to.
import {createChannel} from "../../shared/channel.ts";
import {SubletError} from "../../shared/errors.ts";
import {popupMethods} from "../../shared/protocol.ts";
import type {PopupAgent, PopupLease, PopupState} from "../popup/state.ts";
import {release} from "./ending.ts";
import {allLeases, type Lease, leaseOn, onLeaseChange} from "./leases.ts";
import {linkState, onLinkChange} from "./link.ts";
import {allowAgain, isStopped, onStopChange, stopEverything} from "./stop.ts";
import {tabNow, urlOf} from "./tabs.ts";

export function servePopup(ready: Promise<void>): void {
  chrome.runtime.onConnect.addListener((port) => {
    if (port.name !== "popup" || !isOurPopup(port.sender)) return port.disconnect();
    const channel = createChannel({
      transport: {post: (text) => port.postMessage(text), close: () => port.disconnect()},
      answer: async (method, params) => {
        await ready;
        return answer(method, params);
      },
    });
    port.onMessage.addListener((message) => channel.receive(String(message)));
    port.onDisconnect.addListener(() => channel.close("popup closed"));
    const tell = () => void popupState().then((state) => channel.emit("state", state));
    for (const follow of [onLeaseChange, onLinkChange, onStopChange]) follow(tell);
  });
}

const isOurPopup = (sender: chrome.runtime.MessageSender | undefined): boolean =>
  sender?.id === chrome.runtime.id &&
  sender.url?.startsWith(chrome.runtime.getURL("extension/popup/")) === true;

async function answer(method: string, params: unknown): Promise<unknown> {
  if (method === popupMethods.state) return popupState();
  if (method === popupMethods.stopAll) return stopEverything().then(popupState);
  if (method === popupMethods.allowAgain) {
    allowAgain();
    return popupState();
  }
  const lease = leaseNamed(params);
  if (method === popupMethods.takeBack) return release(lease, "person").then(popupState);
  if (method === popupMethods.show) return show(lease);
  throw new SubletError("unknown_operation", `the popup cannot ask for ${method}`);
}

function leaseNamed(params: unknown): Lease {
  const handle =
    typeof params === "object" && params !== null && "tab_id" in params ? String(params.tab_id) : "";
  const lease = leaseOn(handle);
  if (lease === undefined)
    throw new SubletError("page_not_in_session", `tab ${handle} is not lent to anybody`);
  return lease;
}

async function show(lease: Lease): Promise<null> {
  const tab = await chrome.tabs.update(lease.tab_id, {active: true});
  if (tab !== undefined) await chrome.windows.update(tab.windowId, {focused: true});
  return null;
}

async function popupState(): Promise<PopupState> {
  const {connection, bridge_version} = linkState();
  const agents = new Map<string, PopupAgent>();
  for (const lease of allLeases()) {
    if (lease.state !== "active") continue;
    const agent = agents.get(lease.session) ?? {session: lease.session, name: lease.session_name, leases: []};
    agents.set(lease.session, agent);
    agent.leases.push(await popupLease(lease));
  }
  return {
    version: chrome.runtime.getManifest().version,
    connection,
    bridge_version,
    stopped: isStopped(),
    agents: [...agents.values()],
  };
}

async function popupLease(lease: Lease): Promise<PopupLease> {
  const tab = await tabNow(lease.tab_id);
  const icon = tab?.favIconUrl;
  return {
    tab_id: lease.handle,
    title: tab?.title ?? "",
    url: tab === null ? "" : urlOf(tab),
    // Nothing is fetched for the popup: only an icon that is data already is shown.
    icon: icon?.startsWith("data:") ? icon : null,
    origin: lease.origin,
    since_ms: lease.since_ms,
    last_action: lease.last_action,
    last_action_ms: lease.last_action_ms,
  };
}
