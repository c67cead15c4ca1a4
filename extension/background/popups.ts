// Tabs that a leased tab's page opens. One opened by an agent's tab, or by an agent's action in a claimed one, joins
// the agent's session; what the person opens by hand in a tab of theirs stays theirs (contract 2.9.4).
import {openedByPage} from "./focus.ts";
import {isActing} from "./gesture.ts";
import {happened} from "./happenings.ts";
import {grant, leaseOnTab} from "./leases.ts";
import {joinGroup, sessionOf} from "./sessions.ts";
import {handleOf} from "./tabs.ts";

export async function adoptPopup(sourceTabId: number, tabId: number, url: string): Promise<void> {
  const lease = leaseOnTab(sourceTabId);
  if (lease === undefined || lease.state !== "active") return;
  if (lease.origin === "user" && !isActing(sourceTabId)) return;
  const session = sessionOf(lease.session);
  if (session === undefined) return;
  const handle = handleOf(tabId);
  grant(session, handle, tabId, "agent");
  happened(sourceTabId, {kind: "tab_opened", tab_id: handle, url});
  await openedByPage(tabId, sourceTabId);
  // The tab may be gone again already: a download opens one for a moment.
  await joinGroup(session, tabId).catch(() => undefined);
}
