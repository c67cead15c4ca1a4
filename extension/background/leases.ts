// Leases: the exclusive right of one session to drive one tab (contract 2.9). Kept in storage.session, so that they
// outlive the worker and end with the browser. Who holds what is decided here and nowhere else.
import {SubletError} from "../../shared/errors.ts";
import type {Mark, TabOrigin} from "../../shared/operations/tabs.ts";
import {forget, recall, remember} from "./memory.ts";
import type {Session} from "./sessions.ts";
import {tabIdOf, wasGiven} from "./tabs.ts";

export type EndedBy = "finalize" | "release" | "person" | "idle" | "bridge_gone";

export interface LeaseRecord {
  handle: string;
  tab_id: number;
  session: string;
  session_name: string;
  origin: TabOrigin;
  mark: Mark | null;
  /** handoff: kept open by a session that has ended, for any other to claim. */
  state: "active" | "handoff";
  /** Goes up with every claim of any tab: what was accepted under an older one is refused. */
  epoch: number;
  since_ms: number;
  last_action: string | null;
  last_action_ms: number | null;
  /** The highest element number given out in this tab, so that no document after it reuses a ref. */
  ref_base: number;
}

/** A record with its live part: aborted when the lease ends, with the reason as a SubletError. */
export interface Lease extends LeaseRecord {
  readonly ended: AbortController;
}

interface Ending {
  session: string;
  by: EndedBy;
  at_ms: number;
}

const leasePrefix = "lease:";
const endingPrefix = "ended:";
const leases = new Map<string, Lease>();
const endings = new Map<string, Ending>();
const listeners = new Set<() => void>();
let lastEpoch = 0;

export async function loadLeases(): Promise<void> {
  for (const [handle, record] of await recall<LeaseRecord>(leasePrefix)) {
    leases.set(handle, {...record, ended: new AbortController()});
    lastEpoch = Math.max(lastEpoch, record.epoch);
  }
  for (const [key, ending] of await recall<Ending>(endingPrefix)) endings.set(key, ending);
}

/** Called after every change of any lease: popup, badge and bridge follow it. */
export const onLeaseChange = (listener: () => void): void => void listeners.add(listener);

export const allLeases = (): Lease[] => [...leases.values()];

export const leasesOf = (sessionId: string): Lease[] =>
  allLeases().filter((lease) => lease.session === sessionId && lease.state === "active");

export const leaseOn = (handle: string): Lease | undefined => leases.get(handle);

export const leaseOnTab = (tabId: number): Lease | undefined =>
  allLeases().find((lease) => lease.tab_id === tabId);

/** Grants a lease, unless another session holds the tab. */
export function grant(session: Session, handle: string, tabId: number, origin: TabOrigin): Lease {
  const held = leases.get(handle);
  if (held?.state === "active") {
    throw new SubletError("already_claimed", `tab ${handle} is lent to ${held.session_name} already`, {
      details: {session: held.session, session_name: held.session_name},
    });
  }
  lastEpoch += 1;
  const lease: Lease = {
    handle,
    tab_id: tabId,
    session: session.id,
    session_name: session.name,
    // A tab that an earlier session opened and handed over keeps its origin.
    origin: held?.origin ?? origin,
    mark: null,
    state: "active",
    epoch: lastEpoch,
    since_ms: Date.now(),
    last_action: null,
    last_action_ms: null,
    ref_base: held?.ref_base ?? 0,
    ended: new AbortController(),
  };
  leases.set(handle, lease);
  endings.delete(endingKey(session.id, handle));
  void forget(endingPrefix + endingKey(session.id, handle));
  save(lease);
  return lease;
}

/** Ends a lease: running work in the tab stops at its next step, later work is told by whom it ended. */
export function end(lease: Lease, by: EndedBy): void {
  if (leases.get(lease.handle) !== lease) return;
  leases.delete(lease.handle);
  const ending: Ending = {session: lease.session, by, at_ms: Date.now()};
  endings.set(endingKey(lease.session, lease.handle), ending);
  void forget(leasePrefix + lease.handle);
  void remember(endingPrefix + endingKey(lease.session, lease.handle), ending);
  lease.ended.abort(released(lease.handle, by));
  changed();
}

/** Keeps an agent's tab open for a later session: nobody drives it until it is claimed. */
export function handOff(lease: Lease): void {
  lease.ended.abort(released(lease.handle, "finalize"));
  leases.set(lease.handle, {...lease, state: "handoff", ended: new AbortController()});
  const kept = leases.get(lease.handle);
  if (kept !== undefined) save(kept);
}

/** Forgets a session's endings, when the session itself has ended. */
export function forgetEndings(sessionId: string): void {
  for (const [key, ending] of endings) {
    if (ending.session !== sessionId) continue;
    endings.delete(key);
    void forget(endingPrefix + key);
  }
}

export function save(lease: Lease): void {
  const {ended: _, ...record} = lease;
  void remember(leasePrefix + lease.handle, record);
  changed();
}

/** Refs given out so far; saved without telling anyone, since no one but the engine cares. */
export function raiseRefBase(lease: Lease, base: number): void {
  if (base <= lease.ref_base) return;
  lease.ref_base = base;
  const {ended: _, ...record} = lease;
  void remember(leasePrefix + lease.handle, record);
}

/** The lease that an operation means: the tab it names, or the only one its session has. Fails closed. */
export function leaseFor(sessionId: string, handle: string | undefined): Lease {
  if (handle !== undefined) return namedLease(sessionId, handle);
  const own = leasesOf(sessionId);
  const [first] = own;
  if (own.length === 1 && first !== undefined) return first;
  if (own.length > 1) {
    throw new SubletError("ambiguous_tab_target", `the session has ${own.length} tabs; say which one`, {
      candidates: own.map((lease) => ({
        tab_id: lease.handle,
        origin: lease.origin,
        last_action: lease.last_action,
      })),
    });
  }
  const taken = latestEnding(sessionId);
  if (taken !== undefined && taken.by !== "release" && taken.by !== "finalize")
    throw released(taken.handle, taken.by);
  throw new SubletError("no_tab", "the session has no tab");
}

/** Throws when the lease has ended since the operation was accepted. */
export function assertHeld(lease: Lease): void {
  if (lease.ended.signal.aborted) throw lease.ended.signal.reason;
}

function namedLease(sessionId: string, handle: string): Lease {
  const lease = leases.get(handle);
  if (lease !== undefined && lease.session === sessionId && lease.state === "active") return lease;
  const ending = endings.get(endingKey(sessionId, handle));
  if (ending !== undefined) throw released(handle, ending.by);
  if (tabIdOf(handle) === undefined && wasGiven(handle))
    throw new SubletError("stale_page", `tab ${handle} is gone`);
  throw new SubletError("page_not_in_session", `this session has no lease on tab ${handle}`, {
    candidates: leasesOf(sessionId).map((own) => ({tab_id: own.handle})),
  });
}

function latestEnding(sessionId: string): {handle: string; by: EndedBy} | undefined {
  const own = [...endings].filter(([, ending]) => ending.session === sessionId);
  const latest = own.sort(([, a], [, b]) => b.at_ms - a.at_ms)[0];
  return latest === undefined ? undefined : {handle: latest[0].slice(sessionId.length + 1), by: latest[1].by};
}

const endedWords: Record<EndedBy, string> = {
  finalize: "its session was finalized",
  release: "the session gave it back",
  person: "the person took it back",
  idle: "the session was idle too long",
  bridge_gone: "the bridge was gone too long",
};

const released = (handle: string, by: EndedBy): SubletError =>
  new SubletError("page_released", `the lease on tab ${handle} has ended: ${endedWords[by]}`, {
    details: {by},
  });

const endingKey = (sessionId: string, handle: string): string => `${sessionId}:${handle}`;

function changed(): void {
  for (const listener of listeners) listener();
}
