// The toolbar badge: how many tabs are lent, at a glance.
import {allLeases} from "./leases.ts";
import {isStopped} from "./stop.ts";

export function showBadge(): void {
  const count = allLeases().filter((lease) => lease.state === "active").length;
  const text = isStopped() ? "■" : count === 0 ? "" : String(count);
  void chrome.action.setBadgeText({text});
  void chrome.action.setBadgeBackgroundColor({color: isStopped() ? "#b3261e" : "#1f6f54"});
}
