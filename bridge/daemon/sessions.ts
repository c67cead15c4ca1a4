// Sessions (contract 2.9.5): who they are, how they are taken up again, and when they end by themselves. Ids and action
// ids come from counts on the disk, so that none is ever given twice, whatever is killed.
import {createHash, randomBytes, timingSafeEqual} from "node:crypto";
import {join} from "node:path";
import {z} from "zod";
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import type {SessionFacts, Status} from "../../shared/protocol.ts";
import type {Clock} from "./clock.ts";
import {openStateFile} from "./state-file.ts";

const recordSchema = z.object({
  id: z.string(),
  name: z.string(),
  client: z.string(),
  /** connection: ends with its client's connection. shell: outlives it, as each CLI command is a connection. */
  kind: z.enum(["connection", "shell"]),
  token_hash: z.string(),
  /** Action ids up to this one may have been used. */
  actions_reserved: z.int(),
  used_at_ms: z.number(),
  /** The browser that the session works in, once it does. */
  install_id: z.string().nullable(),
  op_ids: z.array(z.object({op_id: z.string(), action_id: z.string(), print: z.string()})),
});
type SessionRecord = z.infer<typeof recordSchema>;
const fileSchema = z.object({last_id: z.int(), sessions: z.array(recordSchema)});

export interface Session {
  readonly record: SessionRecord;
  /** The browser named in the client's hello, for the first operation. */
  browser: string | undefined;
  /** Connections that speak for it now. */
  attached: number;
  running: number;
  orphanedAtMs: number | null;
  ended: boolean;
}

export interface Sessions {
  /** @throws SubletError session_limit. */
  open(facts: {
    name: string;
    client: string;
    kind: SessionRecord["kind"];
  }): Promise<{session: Session; token: string}>;
  /** @throws SubletError session_not_found, session_ended. */
  resume(nameOrId: string, token: string): Session;
  attach(session: Session): void;
  /** A connection is gone without a goodbye: the last one leaves a connection's session orphaned. */
  detach(session: Session): void;
  /** The next action id. Resolves when it can never be given again. */
  mint(session: Session): Promise<string>;
  pin(session: Session, installId: string): void;
  /** A browser is gone for good, and its leases with it: its sessions may go on in another. */
  unpin(installId: string): void;
  /** Marks the session as used while an operation runs. */
  during<Value>(session: Session, work: () => Promise<Value>): Promise<Value>;
  /** Remembers a caller's own id, on the disk, before its operation leaves the bridge. */
  rememberOpId(session: Session, entry: SessionRecord["op_ids"][number]): Promise<void>;
  forgetOpId(session: Session, opId: string): Promise<void>;
  end(session: Session): void;
  list(): Status["sessions"];
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>;
}

export interface SessionsOptions {
  state: string;
  clock: Clock;
  /** Called when a session has been orphaned or idle for too long; it has ended already. */
  onExpired(session: Session, why: "orphaned" | "idle"): void;
}

/** How far behind the disk may be with when a session was last used. */
const usedAtSlackMs = 5 * 60_000;

/** @throws SubletError when sessions.json is damaged or not private. */
export function openSessions({state, clock, onExpired}: SessionsOptions): Sessions {
  const file = openStateFile(join(state, "sessions.json"), fileSchema, {last_id: 0, sessions: []});
  const live = new Map<string, Session>();
  const counts = new Map<string, number>();
  const reserving = new Map<string, Promise<void>>();
  const timers = new Map<string, () => void>();
  const usedAtOnDisk = new Map<string, number>();
  /** Those that ended lately, so that whoever comes back is told so. */
  const endedLately: {id: string; name: string; token_hash: string}[] = [];

  for (const record of file.value.sessions) {
    const session = asSession(record);
    // The bridge that its connection belonged to is gone; its client has the same time as after any broken connection.
    if (record.kind === "connection") session.orphanedAtMs = clock.now();
    watch(session);
  }

  return {
    async open({name, client, kind}) {
      if (live.size >= LIMITS.sessionsMax) makeRoom();
      if (live.size >= LIMITS.sessionsMax) {
        throw new SubletError("session_limit", `${live.size} sessions are open, and no more are allowed`, {
          candidates: [...live.values()].map(({record}) => ({session: record.id, name: record.name})),
        });
      }
      const token = randomBytes(32).toString("base64url");
      file.value.last_id += 1;
      const record: SessionRecord = {
        id: `s${file.value.last_id}`,
        name,
        client,
        kind,
        token_hash: hashOf(token),
        actions_reserved: LIMITS.actionIdsReserved,
        used_at_ms: clock.now(),
        install_id: null,
        op_ids: [],
      };
      file.value.sessions.push(record);
      const session = asSession(record);
      counts.set(record.id, 0);
      await save();
      watch(session);
      return {session, token};
    },
    resume(nameOrId, token) {
      const hash = hashOf(token);
      const called = (one: {id: string; name: string}) => one.id === nameOrId || one.name === nameOrId;
      const found = [...live.values()].find(
        ({record}) => called(record) && sameHash(record.token_hash, hash),
      );
      if (found !== undefined) return found;
      if (endedLately.some((one) => called(one) && sameHash(one.token_hash, hash))) throw hasEnded(nameOrId);
      throw new SubletError("session_not_found", `there is no session "${nameOrId}" with this token`);
    },
    attach(session) {
      session.attached += 1;
      session.orphanedAtMs = null;
      watch(session);
    },
    detach(session) {
      session.attached -= 1;
      if (session.ended || session.attached > 0 || session.record.kind !== "connection") return;
      session.orphanedAtMs = clock.now();
      watch(session);
    },
    async mint(session) {
      const {record} = session;
      const count = (counts.get(record.id) ?? record.actions_reserved) + 1;
      counts.set(record.id, count);
      if (count > record.actions_reserved) reserving.set(record.id, reserve(record));
      await reserving.get(record.id);
      return `${record.id}-${count}`;
    },
    pin(session, installId) {
      if (session.record.install_id === installId) return;
      session.record.install_id = installId;
      saveSometime();
    },
    unpin(installId) {
      for (const {record} of live.values()) if (record.install_id === installId) record.install_id = null;
      saveSometime();
    },
    async during(session, work) {
      session.running += 1;
      watch(session);
      try {
        return await work();
      } finally {
        session.running -= 1;
        session.record.used_at_ms = clock.now();
        if (clock.now() - (usedAtOnDisk.get(session.record.id) ?? 0) > usedAtSlackMs) saveSometime();
        watch(session);
      }
    },
    async rememberOpId(session, entry) {
      session.record.op_ids.push(entry);
      session.record.op_ids = session.record.op_ids.slice(-LIMITS.opIdsKept);
      await save();
    },
    async forgetOpId(session, opId) {
      session.record.op_ids = session.record.op_ids.filter((entry) => entry.op_id !== opId);
      await save();
    },
    end,
    list: () =>
      [...live.values()].map(({record, running, orphanedAtMs}) => ({
        session: record.id,
        name: record.name,
        client: record.client,
        idle_ms: running > 0 ? 0 : Math.max(0, clock.now() - record.used_at_ms),
        orphaned: orphanedAtMs !== null,
      })),
    settled: file.settled,
  };

  function asSession(record: SessionRecord): Session {
    const session: Session = {
      record,
      browser: undefined,
      attached: 0,
      running: 0,
      orphanedAtMs: null,
      ended: false,
    };
    live.set(record.id, session);
    usedAtOnDisk.set(record.id, record.used_at_ms);
    return session;
  }

  /** One timer a session, for the earlier of its two ends. */
  function watch(session: Session): void {
    timers.get(session.record.id)?.();
    timers.delete(session.record.id);
    if (session.ended) return;
    const orphanEnd =
      session.orphanedAtMs === null ? Number.POSITIVE_INFINITY : session.orphanedAtMs + LIMITS.orphanGraceMs;
    const idleEnd =
      session.running > 0 ? Number.POSITIVE_INFINITY : session.record.used_at_ms + LIMITS.sessionIdleMs;
    const due = Math.min(orphanEnd, idleEnd);
    if (due === Number.POSITIVE_INFINITY) return;
    const expire = () => {
      end(session);
      onExpired(session, orphanEnd <= idleEnd ? "orphaned" : "idle");
    };
    timers.set(session.record.id, clock.after(Math.max(0, due - clock.now()), expire));
  }

  function end(session: Session): void {
    if (session.ended) return;
    session.ended = true;
    const {id, name, token_hash} = session.record;
    live.delete(id);
    file.value.sessions = file.value.sessions.filter((record) => record.id !== id);
    endedLately.push({id, name, token_hash});
    endedLately.splice(0, Math.max(0, endedLately.length - 4 * LIMITS.sessionsMax));
    watch(session);
    usedAtOnDisk.delete(id);
    saveSometime();
  }

  /** Shells come and go without a goodbye: those that never did anything make room for a new one. */
  function makeRoom(): void {
    for (const session of live.values()) {
      if (session.attached === 0 && session.running === 0 && session.record.install_id === null) end(session);
    }
  }

  function reserve(record: SessionRecord): Promise<void> {
    record.actions_reserved += LIMITS.actionIdsReserved;
    return save().catch((error: unknown) => {
      record.actions_reserved -= LIMITS.actionIdsReserved;
      throw error;
    });
  }

  async function save(): Promise<void> {
    for (const {id, used_at_ms} of file.value.sessions) usedAtOnDisk.set(id, used_at_ms);
    await file.save();
  }

  /** For what the next start can do without: a full disk must not end the bridge over it. */
  function saveSometime(): void {
    save().catch(() => undefined);
  }
}

export const sessionFacts = ({record}: Session): SessionFacts => ({
  id: record.id,
  name: record.name,
  client: record.client,
});

export const hasEnded = (session: string): SubletError =>
  new SubletError("session_ended", `the session ${session} has ended`);

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

const sameHash = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};
