import {mkdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {openSessions, type Session, type Sessions} from "../../../../bridge/daemon/sessions.ts";
import {LIMITS} from "../../../../shared/limits.ts";
import {scratchHome, testClock} from "../bridge.ts";

let state: string;
let clock: ReturnType<typeof testClock>;
let expired: [string, string][];
let sessions: Sessions;

const reopen = () =>
  openSessions({state, clock, onExpired: ({record}, why) => expired.push([record.id, why])});
const open = (kind: "connection" | "shell" = "connection", name = "agent") =>
  sessions.open({name, client: "test 1", kind});

beforeEach(() => {
  ({state} = scratchHome());
  mkdirSync(state, {recursive: true, mode: 0o700});
  clock = testClock();
  expired = [];
  sessions = reopen();
});

// Nothing is still being written when the folder is removed.
afterEach(() => sessions.settled());

describe("ids", () => {
  it("are counted, and go on after a restart, whatever was killed", async () => {
    const {session} = await open("shell");
    expect(session.record.id).toBe("s1");
    expect([await sessions.mint(session), await sessions.mint(session)]).toEqual(["s1-1", "s1-2"]);
    sessions = reopen();
    expect((await open()).session.record.id).toBe("s2");
    const again = sessions.list().map(({session: id}) => id);
    expect(again).toEqual(["s1", "s2"]);
  });

  it("of actions are never given twice over restarts and blocks", async () => {
    const {token} = await open("shell", "shell 1");
    const given = new Set<string>();
    for (let life = 0; life < 4; life += 1) {
      sessions = reopen();
      const session = sessions.resume("shell 1", token);
      for (let count = 0; count < LIMITS.actionIdsReserved + 10; count += 1)
        given.add(await sessions.mint(session));
    }
    expect(given.size).toBe(4 * (LIMITS.actionIdsReserved + 10));
  });

  it("of actions are unique when many are asked for at once", async () => {
    const {session} = await open();
    const ids = await Promise.all(Array.from({length: 250}, () => sessions.mint(session)));
    expect(new Set(ids).size).toBe(250);
    const onDisk = JSON.parse(readFileSync(join(state, "sessions.json"), "utf8"));
    expect(onDisk.sessions[0].actions_reserved).toBeGreaterThanOrEqual(250);
  });
});

describe("a broken connection", () => {
  let session: Session;
  let token: string;
  beforeEach(async () => {
    ({session, token} = await open());
    sessions.attach(session);
  });

  it("leaves the session orphaned, to be resumed by id or name, and its token", () => {
    sessions.detach(session);
    expect(sessions.list()).toMatchObject([{session: "s1", orphaned: true}]);
    clock.advance(LIMITS.orphanGraceMs - 1);
    expect(sessions.resume("agent", token)).toBe(session);
    expect(sessions.resume("s1", token)).toBe(session);
    sessions.attach(session);
    clock.advance(LIMITS.orphanGraceMs);
    expect(expired).toEqual([]);
    expect(sessions.list()).toMatchObject([{orphaned: false}]);
  });

  it("ends it when the time is over", () => {
    sessions.detach(session);
    clock.advance(LIMITS.orphanGraceMs);
    expect(expired).toEqual([["s1", "orphaned"]]);
    expect(session.ended).toBe(true);
    expect(() => sessions.resume("s1", token)).toThrow(expect.objectContaining({code: "session_ended"}));
    clock.advance(10 * LIMITS.sessionIdleMs);
    expect(expired).toHaveLength(1);
  });

  it("is not one while another connection speaks for the session", () => {
    sessions.attach(session);
    sessions.detach(session);
    clock.advance(LIMITS.orphanGraceMs);
    expect(expired).toEqual([]);
  });

  it("is what a restart of the bridge is to every connection", () => {
    sessions = reopen();
    expect(sessions.list()).toMatchObject([{session: "s1", orphaned: true}]);
    clock.advance(LIMITS.orphanGraceMs);
    expect(expired).toEqual([["s1", "orphaned"]]);
  });

  it("gives a session to nobody with another token", () => {
    for (const wrong of ["", "x", token.slice(1), `${token}x`]) {
      expect(() => sessions.resume("s1", wrong)).toThrow(
        expect.objectContaining({code: "session_not_found"}),
      );
    }
    expect(() => sessions.resume("s2", token)).toThrow(expect.objectContaining({code: "session_not_found"}));
    expect(readFileSync(join(state, "sessions.json"), "utf8")).not.toContain(token);
  });
});

describe("idleness", () => {
  it("ends any session after an hour without an operation", async () => {
    const {session} = await open("shell");
    sessions.attach(session);
    clock.advance(LIMITS.sessionIdleMs - 1);
    await sessions.during(session, async () => undefined);
    clock.advance(LIMITS.sessionIdleMs - 1);
    expect(expired).toEqual([]);
    clock.advance(1);
    expect(expired).toEqual([["s1", "idle"]]);
  });

  it("does not count while an operation runs", async () => {
    const {session} = await open("shell");
    let finish = (): void => undefined;
    const running = sessions.during(session, () => new Promise<void>((resolve) => (finish = resolve)));
    clock.advance(2 * LIMITS.sessionIdleMs);
    expect(expired).toEqual([]);
    finish();
    await running;
    clock.advance(LIMITS.sessionIdleMs);
    expect(expired).toEqual([["s1", "idle"]]);
  });

  it("never orphans a shell's session", async () => {
    const {session} = await open("shell");
    sessions.attach(session);
    sessions.detach(session);
    clock.advance(LIMITS.orphanGraceMs + 1);
    expect(expired).toEqual([]);
    sessions = reopen();
    expect(sessions.list()).toMatchObject([{orphaned: false}]);
  });
});

describe("the limit", () => {
  it("refuses one session too many, with the list of those that are open", async () => {
    for (let count = 0; count < LIMITS.sessionsMax; count += 1) sessions.attach((await open()).session);
    await expect(open()).rejects.toMatchObject({
      code: "session_limit",
      data: {candidates: expect.arrayContaining([{session: "s1", name: "agent"}])},
    });
  });

  it("lets shells that never did anything make room", async () => {
    for (let count = 0; count < LIMITS.sessionsMax; count += 1) await open("shell");
    expect((await open()).session.record.id).toBe(`s${LIMITS.sessionsMax + 1}`);
  });

  it("is free again for each session that ends", async () => {
    for (let count = 0; count < LIMITS.sessionsMax; count += 1) sessions.attach((await open()).session);
    const own = sessions.list()[0]?.session ?? "";
    expect(own).toBe("s1");
    sessions = reopen();
    clock.advance(LIMITS.orphanGraceMs);
    await expect(open()).resolves.toBeDefined();
  });
});
