// What an operation's handler is given, and where it puts what it finds out on the way, so that a failure still
// tells which element, what was delivered and what was noticed.
import type {Findings, Note, RunFacts} from "../../shared/result.ts";
import {wake} from "./debuggee.ts";
import {type Frame, topFrame} from "./frames.ts";
import {assertHeld, type Lease, leaseFor} from "./leases.ts";
import type {Session} from "./sessions.ts";

export interface Context {
  readonly session: Session;
  readonly run: RunFacts;
  /** Aborted when the caller cancels. */
  readonly signal: AbortSignal;
  /** Resolved when the journal holds this action; awaited before the first input. */
  readonly journaled: Promise<void>;
  readonly found: Findings & {notes: Note[]};
}

/** A leased tab under one operation. */
export interface Workplace {
  readonly lease: Lease;
  readonly tabId: number;
  /** The caller's cancel and the lease's end in one. */
  readonly signal: AbortSignal;
  top(): Frame;
}

/** The tab that an operation means, awake, with its facts noted in the result. */
export async function enterTab(context: Context, handle: string | undefined): Promise<Workplace> {
  const lease = leaseFor(context.session.id, handle);
  context.found.tab_id = lease.handle;
  const signal = AbortSignal.any([context.signal, lease.ended.signal]);
  await wake(lease.tab_id);
  assertHeld(lease);
  return {
    lease,
    get tabId() {
      return lease.tab_id;
    },
    signal,
    top: () => topFrame(lease.tab_id),
  };
}
