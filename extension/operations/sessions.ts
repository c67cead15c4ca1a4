// session_list, session_finalize.
import {SubletError} from "../../shared/errors.ts";
import type {ExtensionHandlers, Input, Output} from "../../shared/operations/index.ts";
import type {Context} from "../background/context.ts";
import {close, keepForLater, release} from "../background/ending.ts";
import {allLeases, forgetEndings, type Lease, leaseFor, leasesOf} from "../background/leases.ts";
import {allSessions, endSession} from "../background/sessions.ts";
import {tabNow, urlOf} from "../background/tabs.ts";

export const sessionHandlers: Pick<ExtensionHandlers<Context>, "session_list" | "session_finalize"> = {
  session_list: listSessions,
  session_finalize: finalize,
};

async function listSessions(
  _input: Input<"session_list">,
  context: Context,
): Promise<Output<"session_list">> {
  const sessions = allSessions().map(async (session) => ({
    session: session.id,
    name: session.name,
    own: session.id === context.session.id,
    idle_ms: Date.now() - session.last_ms,
    leases: await Promise.all(
      allLeases()
        .filter((lease) => lease.session === session.id)
        .map(describe),
    ),
  }));
  return Promise.all(sessions);
}

async function describe(lease: Lease): Promise<Output<"session_list">[number]["leases"][number]> {
  const tab = await tabNow(lease.tab_id);
  return {
    tab_id: lease.handle,
    title: tab?.title ?? "",
    url: tab === null ? "" : urlOf(tab),
    origin: lease.origin,
    mark: lease.mark,
    since_ms: lease.since_ms,
    last_action: lease.last_action,
  };
}

/** Every lease gets its outcome. What Chrome refuses stays leased, and finalize can be called again. */
async function finalize(
  input: Input<"session_finalize">,
  context: Context,
): Promise<Output<"session_finalize">> {
  for (const {tab, as} of input.keep) leaseFor(context.session.id, tab).mark = as;
  const data: Output<"session_finalize"> = {closed: [], kept: [], failed: []};
  await Promise.all(
    leasesOf(context.session.id).map(async (lease) => {
      try {
        await conclude(lease, data);
      } catch (thrown) {
        data.failed.push({tab_id: lease.handle, reason: SubletError.from(thrown).message});
      }
    }),
  );
  if (data.failed.length > 0) {
    throw new SubletError(
      "tab_close_failed",
      `${data.failed.length} tabs could not be ended; call session_finalize again`,
      {details: {...data}},
    );
  }
  forgetEndings(context.session.id);
  endSession(context.session.id);
  return data;
}

async function conclude(lease: Lease, data: Output<"session_finalize">): Promise<void> {
  if (lease.mark === "handoff") {
    await keepForLater(lease);
    data.kept.push({tab_id: lease.handle, as: "handoff"});
  } else if (lease.origin === "user" || lease.mark === "deliverable") {
    await release(lease, "finalize");
    data.kept.push({tab_id: lease.handle, as: lease.mark ?? "person"});
  } else {
    await close(lease, "finalize");
    data.closed.push(lease.handle);
  }
}
