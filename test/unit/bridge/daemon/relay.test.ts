// What the bridge adds to an operation: ids, the choice of a browser, op_id, files, long results, and the session's end.
import {readFileSync, statSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {createClient} from "../../../../bridge/client/client.ts";
import {connect} from "../../../../bridge/client/connect.ts";
import {systemClock} from "../../../../bridge/daemon/clock.ts";
import {SubletError} from "../../../../shared/errors.ts";
import {LIMITS} from "../../../../shared/limits.ts";
import type {RunParams} from "../../../../shared/protocol.ts";
import {
  agent,
  connectPeer,
  enrol,
  failure,
  startBridge,
  success,
  testClock,
  vanishingAgent,
} from "../bridge.ts";

describe("one operation", () => {
  it("goes to the browser with the session, an action id and the input as it was", async () => {
    await startBridge();
    const peer = await connectPeer(await enrol());
    const client = await agent({sessionName: "Claude Code"});
    const result = await client.run("click", {target: "Save", timeout_ms: 3_000});
    expect(result).toMatchObject({ok: true, op: "click", action_id: "s1-1", session_id: "s1"});
    expect(peer.asked).toMatchObject([
      {
        op: "click",
        input: {target: "Save", timeout_ms: 3_000},
        action_id: "s1-1",
        session: {id: "s1", name: "Claude Code", client: "test 1"},
      },
    ]);
  });

  it("answers with the extension's own failure, untouched", async () => {
    await startBridge();
    await connectPeer(await enrol(), {
      onRun: async (params) =>
        failure(params, new SubletError("not_found", "nothing matched", {candidates: ["Send"]})),
    });
    const result = await (await agent()).run("click", {target: "Save"});
    expect(result).toMatchObject({
      ok: false,
      error: {code: "not_found", recoverable: true, candidates: ["Send"]},
      action: {effect: "refused"},
    });
  });

  it("knows no other names, and says so with a result", async () => {
    await startBridge();
    const client = await agent();
    for (const name of ["", "constructor", "__proto__", "clik"]) {
      expect(await client.runAny(name, {})).toMatchObject({
        ok: false,
        op: name,
        error: {code: "unknown_operation"},
      });
    }
    expect(await client.runAny("result_get", {})).toMatchObject({
      ok: false,
      error: {code: "invalid_arguments"},
    });
  });

  it("is a method of the typed client, by its own name", async () => {
    await startBridge();
    const peer = await connectPeer(await enrol());
    const client = createClient(await agent());
    expect((await client.tab_list()).ok).toBe(true);
    expect((await client.click({target: "Save"})).action?.effect).toBe("unverifiable");
    expect((await client.capabilities({name: "click"})).ok).toBe(true);
    expect(peer.asked.map(({op, input}) => ({op, input}))).toEqual([
      {op: "tab_list", input: {}},
      {op: "click", input: {target: "Save"}},
    ]);
  });
});

describe("which browser", () => {
  it("is the only one; several must be told apart by letter or name, on the first operation", async () => {
    await startBridge();
    const work = await connectPeer(await enrol("Work"));
    const first = await agent();
    expect((await first.runAny("tab_list", {})).ok).toBe(true);
    const home = await connectPeer(await enrol("Home"));

    const second = await agent();
    expect(await second.runAny("tab_list", {})).toMatchObject({
      error: {
        code: "ambiguous_browser",
        candidates: [
          {browser: "a", name: "Work"},
          {browser: "b", name: "Home"},
        ],
      },
    });
    expect(await second.runAny("tab_list", {browser: "Elsewhere"})).toMatchObject({
      error: {code: "unknown_browser"},
    });
    expect((await second.runAny("tab_list", {browser: "HOME"})).ok).toBe(true);
    expect((await second.runAny("observe", {})).ok).toBe(true);
    expect(home.asked).toHaveLength(2);
    // Each stays where it began.
    expect((await first.runAny("tab_list", {})).ok).toBe(true);
    expect(work.asked).toHaveLength(2);
    expect(await first.runAny("tab_list", {browser: "b"})).toMatchObject({
      error: {code: "invalid_arguments"},
    });
    expect((await first.runAny("tab_list", {browser: "a"})).ok).toBe(true);
  });

  it("may be named in the hello", async () => {
    await startBridge();
    await connectPeer(await enrol("Work"));
    const home = await connectPeer(await enrol("Home"));
    expect((await (await agent({browser: "b"})).runAny("tab_list", {})).ok).toBe(true);
    expect(home.asked).toHaveLength(1);
  });

  it("is asked for by the letter when two have one name", async () => {
    await startBridge();
    await connectPeer(await enrol("Same"));
    await connectPeer(await enrol("Same"));
    const client = await agent();
    expect(await client.runAny("tab_list", {browser: "same"})).toMatchObject({
      error: {code: "ambiguous_browser"},
    });
    expect((await client.runAny("tab_list", {browser: "b"})).ok).toBe(true);
  });

  it("is waited for, and taken the moment that it connects", async () => {
    await startBridge();
    const enrolment = await enrol();
    const client = await agent();
    const running = client.runAny("tab_list", {});
    await connectPeer(enrolment);
    expect((await running).ok).toBe(true);
  });

  it.each([
    ["was never there", async (): Promise<void> => {}, LIMITS.browserAbsentWaitMs],
    [
      "was there a moment ago",
      async (): Promise<void> => {
        const peer = await connectPeer(await enrol());
        peer.socket.close();
        await peer.closed;
      },
      LIMITS.browserWaitMs,
    ],
  ])("is waited for so long when one %s", async (_, before, waitMs) => {
    const clock = testClock();
    await startBridge(clock);
    await before();
    const client = await agent();
    let result: unknown = null;
    const running = client.runAny("tab_list", {}).then((answer) => {
      result = answer;
    });
    await clock.waiting(waitMs);
    clock.advance(waitMs - 1);
    await client.status();
    expect(result).toBeNull();
    clock.advance(1);
    await running;
    expect(result).toMatchObject({ok: false, error: {code: "browser_unavailable", recoverable: true}});
  });
});

describe("op_id", () => {
  const click = {target: "Pay", op_id: "pay-1"};

  it("answers again with the recorded result, and runs nothing", async () => {
    await startBridge();
    const peer = await connectPeer(await enrol());
    const client = await agent();
    const first = await client.run("click", click);
    const again = await client.run("click", {op_id: "pay-1", target: "Pay"});
    expect(again).toEqual(first);
    expect(peer.asked).toHaveLength(1);
  });

  it("runs once also when it is asked for twice at once", async () => {
    await startBridge();
    const peer = await connectPeer(await enrol());
    const client = await agent();
    const [first, second] = await Promise.all([client.run("click", click), client.run("click", click)]);
    expect(second).toEqual(first);
    expect(peer.asked).toHaveLength(1);
  });

  it("is refused with other arguments or for another operation, and belongs to its session", async () => {
    await startBridge();
    const peer = await connectPeer(await enrol());
    const client = await agent();
    await client.run("click", click);
    expect(await client.run("click", {...click, target: "Cancel"})).toMatchObject({
      error: {code: "invalid_arguments"},
    });
    expect(await client.run("press", {key: "Enter", op_id: "pay-1"})).toMatchObject({
      error: {code: "invalid_arguments"},
    });
    expect((await (await agent()).run("click", {...click, target: "Cancel"})).ok).toBe(true);
    expect(peer.asked).toHaveLength(2);
  });

  it("stays free for another try when nothing left the bridge", async () => {
    const clock = testClock();
    await startBridge(clock);
    const client = await agent();
    const running = client.run("click", click);
    await clock.waiting(LIMITS.browserAbsentWaitMs);
    clock.advance(LIMITS.browserAbsentWaitMs);
    expect(await running).toMatchObject({error: {code: "browser_unavailable"}, action: {effect: "refused"}});
    const peer = await connectPeer(await enrol());
    expect((await client.run("click", click)).ok).toBe(true);
    expect(peer.asked).toHaveLength(1);
  });

  it("is not run again when its result is gone, not even by the next bridge", async () => {
    const bridge = await startBridge();
    const enrolment = await enrol();
    const peer = await connectPeer(enrolment);
    const client = await connect({start: false});
    await client.run("click", click);
    for (let count = 0; count < LIMITS.resultsKept; count += 1)
      await client.run("click", {...click, op_id: `other-${count}`});
    expect(await client.run("click", click)).toMatchObject({
      ok: false,
      error: {code: "result_evicted", details: {action_id: "s1-1"}},
    });
    expect(peer.asked).toHaveLength(1 + LIMITS.resultsKept);

    await bridge.stop();
    await startBridge(systemClock, bridge.home);
    const next = await connectPeer(enrolment);
    expect(await client.run("click", click)).toMatchObject({ok: false, error: {code: "result_evicted"}});
    expect(next.asked).toEqual([]);
    await client.close();
  });
});

describe("files", () => {
  const picture = Buffer.from("not really a picture");
  const withPicture = async (params: RunParams) => ({
    ...success(params, {}),
    evidence: [
      {kind: "screenshot", path: "", mime: "image/png", bytes: 0, base64: picture.toString("base64")},
      {kind: "screenshot", path: "/etc/passwd", mime: "image/x-odd", bytes: 0, base64: ""},
    ],
  });

  it("are written where the bridge says, for this user alone", async () => {
    const bridge = await startBridge();
    await connectPeer(await enrol(), {onRun: withPicture});
    const result = await (await agent()).run("screenshot", {});
    const path = join(bridge.home.artifacts, "s1", "s1-1-1.png");
    expect(result.evidence).toEqual([
      {kind: "screenshot", path, mime: "image/png", bytes: picture.length},
      {
        kind: "screenshot",
        path: join(bridge.home.artifacts, "s1", "s1-1-2.bin"),
        mime: "image/x-odd",
        bytes: 0,
      },
    ]);
    expect(readFileSync(path)).toEqual(picture);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(bridge.home.artifacts, "s1")).mode & 0o777).toBe(0o700);
  });
});

describe("the end of a session", () => {
  it("comes with a finalize that succeeded, and with no other", async () => {
    await startBridge();
    let fails = true;
    await connectPeer(await enrol(), {
      onFinalize: async (params) =>
        fails
          ? failure(params, new SubletError("tab_close_failed", "Chrome refused"))
          : success(params, {closed: [], kept: [], failed: []}),
    });
    const client = await agent();
    await client.runAny("tab_list", {});
    expect(await client.runAny("session_finalize", {})).toMatchObject({error: {code: "tab_close_failed"}});
    fails = false;
    expect((await client.runAny("session_finalize", {})).ok).toBe(true);
    expect(await client.runAny("tab_list", {})).toMatchObject({error: {code: "session_ended"}});
    expect(await client.closed).toBe("the session has ended");
  });

  it("is asked of the browser by a clean goodbye, once, and never for a shell", async () => {
    await startBridge();
    const finalized: string[] = [];
    const onFinalize = async (params: RunParams) => {
      finalized.push(params.session.id);
      return success(params, {closed: [], kept: [], failed: []});
    };
    await connectPeer(await enrol(), {onFinalize});
    const shell = await connect({start: false, session: "shell"});
    await shell.runAny("tab_list", {});
    await shell.close();
    const client = await connect({start: false});
    await client.runAny("tab_list", {});
    await client.close();
    await client.close();
    expect(finalized).toEqual(["s2"]);
    const again = await agent({
      session: "shell",
      resume: {session: shell.sessionId ?? "", token: shell.token ?? ""},
    });
    expect((await again.runAny("tab_list", {})).session_id).toBe("s1");
    await expect(
      connect({start: false, resume: {session: "s2", token: client.token ?? ""}}),
    ).rejects.toMatchObject({code: "session_ended"});
  });

  it("comes to an orphan after its time, and its tabs are given back", async () => {
    const clock = testClock();
    await startBridge(clock);
    let finalized: (id: string) => void = () => undefined;
    const done = new Promise<string>((resolve) => {
      finalized = resolve;
    });
    await connectPeer(await enrol(), {
      async onFinalize(params) {
        finalized(params.session.id);
        return success(params, {closed: [], kept: [], failed: []});
      },
    });
    const watcher = await agent({session: "none"});
    const client = await vanishingAgent();
    await client.run("tab_list");
    client.vanish();
    await clock.waiting(LIMITS.orphanGraceMs);
    expect((await watcher.status()).sessions).toMatchObject([{session: "s1", orphaned: true}]);
    clock.advance(LIMITS.orphanGraceMs);
    expect(await done).toBe("s1");
    expect((await watcher.status()).sessions).toEqual([]);
  });
});

describe("the bridge itself", () => {
  it("ends after half an hour without anyone, and not before", async () => {
    const clock = testClock();
    const bridge = await startBridge(clock);
    const client = await connect({start: false, session: "none"});
    clock.advance(LIMITS.daemonIdleMs);
    await client.close();
    await clock.waiting(LIMITS.daemonIdleMs);
    const peer = await connectPeer(await enrol());
    clock.advance(LIMITS.daemonIdleMs);
    expect(bridge.whyEnded).toBeNull();
    peer.socket.terminate();
    await clock.waiting(LIMITS.daemonIdleMs);
    clock.advance(LIMITS.daemonIdleMs - 1);
    expect(bridge.whyEnded).toBeNull();
    clock.advance(1);
    expect(bridge.whyEnded).toBe("idle");
  });

  it("tells doctor's findings and never fails at it", async () => {
    await startBridge();
    await connectPeer(await enrol("Work"));
    const report = await (await agent()).run("doctor", {});
    expect(report.ok).toBe(true);
    expect(report.data?.checks.find(({check}) => check === "extension")?.found).toContain(
      '"Work" (Test 1, extension 0.1.0, 0 tabs lent)',
    );
  });
});
