// The end of a lease, whoever ends it: the page is left as it was found, and the tab goes to whom it belongs.
import {SubletError} from "../../shared/errors.ts";
import {detach, isAttached, send} from "./debuggee.ts";
import {currentDialog} from "./dialogs.ts";
import {callEngine} from "./engine.ts";
import {forgetFrames, framesOf} from "./frames.ts";
import {type EndedBy, end, handOff, type Lease} from "./leases.ts";
import {tabNow} from "./tabs.ts";

/** Ends the lease and leaves the tab open with the person. */
export async function release(lease: Lease, by: EndedBy): Promise<void> {
  await leavePage(lease);
  end(lease, by);
  await letGo(lease);
  await giveToPerson(lease);
}

/** Ends the session's hold and keeps the tab for a later session. */
export async function keepForLater(lease: Lease): Promise<void> {
  await leavePage(lease);
  handOff(lease);
  await letGo(lease);
}

/** Closes the tab; when Chrome refuses, the lease stays as it was. */
export async function close(lease: Lease, by: EndedBy): Promise<void> {
  const dialog = currentDialog(lease.tab_id);
  // Detaching under an open dialog would leave the page blocked for good.
  if (dialog !== null)
    await send(lease.tab_id, "Page.handleJavaScriptDialog", {accept: false}).catch(() => undefined);
  try {
    await chrome.tabs.remove(lease.tab_id);
  } catch (thrown) {
    if ((await tabNow(lease.tab_id)) !== null) {
      throw new SubletError(
        "tab_close_failed",
        `Chrome did not close tab ${lease.handle}`,
        {details: {reason: String(thrown)}},
        thrown,
      );
    }
  }
  end(lease, by);
}

/** Takes every listener and node of ours out of the page. A page that is gone or stuck has nothing to take out. */
async function leavePage(lease: Lease): Promise<void> {
  if (!isAttached(lease.tab_id)) return;
  if (currentDialog(lease.tab_id) !== null) {
    await send(lease.tab_id, "Page.handleJavaScriptDialog", {accept: false}).catch(() => undefined);
  }
  const signal = AbortSignal.timeout(500);
  await Promise.allSettled(
    framesOf(lease.tab_id).map((frame) => callEngine(lease, frame, "leave", {}, {signal, timeoutMs: 500})),
  );
}

async function letGo(lease: Lease): Promise<void> {
  await detach(lease.tab_id);
  forgetFrames(lease.tab_id);
}

/** A tab that the agent opened leaves the agent's group and is heard again. */
async function giveToPerson(lease: Lease): Promise<void> {
  if (lease.origin !== "agent") return;
  await Promise.allSettled([
    chrome.tabs.ungroup([lease.tab_id]),
    chrome.tabs.update(lease.tab_id, {muted: false}),
  ]);
}
