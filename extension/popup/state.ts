// What the worker tells the popup: types only. The popup connects with runtime.connect({name: "popup"}), speaks
// through shared/channel.ts, asks `state` once, and gets a "state" event at every change.

export interface PopupLease {
  tab_id: string;
  title: string;
  url: string;
  /** A data: URL or chrome's favicon; null when there is none. */
  icon: string | null;
  /** user: it was the person's tab. agent: the agent opened it. */
  origin: "user" | "agent";
  since_ms: number;
  /** The last action in words, such as `click button "Send"`. */
  last_action: string | null;
  last_action_ms: number | null;
}

export interface PopupAgent {
  session: string;
  /** What the agent calls itself. */
  name: string;
  leases: PopupLease[];
}

export interface PopupState {
  version: string;
  /** unpaired: this profile has never been connected to a bridge. */
  connection: "connected" | "connecting" | "unpaired";
  bridge_version: string | null;
  stopped: boolean;
  agents: PopupAgent[];
}
