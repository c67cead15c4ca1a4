// Sockets that are cut, flooded or fed nonsense: an operation is never run twice, never lost in silence, and always
// answered exactly once.
import {Socket} from "node:net";
import {beforeEach, describe, expect, it} from "vitest";
import {type ConnectOptions, connect} from "../../bridge/client/connect.ts";
import {home} from "../../bridge/home.ts";
import {AGENT_PATH, type Enrolment, type RunParams} from "../../shared/protocol.ts";
import {agent, closeCode, connectPeer, enrol, startBridge, success} from "../unit/bridge/bridge.ts";

let enrolment: Enrolment;
beforeEach(async () => {
  await startBridge();
  enrolment = await enrol();
});

/** Takes an operation and never answers; resolves when it has come. */
function silentPeer() {
  let came: (params: RunParams) => void = () => undefined;
  const asked = new Promise<RunParams>((resolve) => {
    came = resolve;
  });
  const onRun = (params: RunParams) => {
    came(params);
    return new Promise<never>(() => undefined);
  };
  return {asked, onRun};
}

describe("the extension's connection is lost before the answer", () => {
  it("sends the very same message again to the same browser", async () => {
    const {asked, onRun} = silentPeer();
    const first = await connectPeer(enrolment, {epoch: "one", onRun});
    const client = await agent();
    const running = client.runAny("click", {target: "Save"});
    const before = await asked;
    first.socket.terminate();
    const second = await connectPeer(enrolment, {epoch: "one"});
    expect(await running).toMatchObject({ok: true, action_id: before.action_id});
    expect(second.asked).toEqual([before]);
  });

  it("does not send an acting operation to a restarted browser", async () => {
    const {asked, onRun} = silentPeer();
    const first = await connectPeer(enrolment, {epoch: "one", onRun});
    const client = await agent();
    const running = client.runAny("click", {target: "Save"});
    await asked;
    first.socket.terminate();
    const second = await connectPeer(enrolment, {epoch: "two"});
    const result = await running;
    expect(result).toMatchObject({
      ok: false,
      error: {code: "command_lost", recoverable: false},
      action: {effect: "unverifiable"},
    });
    expect(second.asked).toEqual([]);
  });

  it("asks a restarted browser once more what only looks", async () => {
    const {asked, onRun} = silentPeer();
    const first = await connectPeer(enrolment, {epoch: "one", onRun});
    const client = await agent();
    const running = client.runAny("observe", {});
    await asked;
    first.socket.terminate();
    const again = silentPeer();
    const second = await connectPeer(enrolment, {epoch: "two", onRun: again.onRun});
    await again.asked;
    second.socket.terminate();
    const third = await connectPeer(enrolment, {epoch: "three"});
    expect(await running).toMatchObject({ok: false, error: {code: "command_lost"}});
    expect(third.asked).toEqual([]);
  });

  it("gives an acting operation up when the browser stays away, and says that it may have happened", async () => {
    const {asked, onRun} = silentPeer();
    const peer = await connectPeer(enrolment, {onRun});
    const client = await agent();
    const running = client.runAny("click", {target: "Save", timeout_ms: 0});
    await asked;
    peer.socket.terminate();
    expect(await running).toMatchObject({
      ok: false,
      error: {code: "command_lost"},
      action: {effect: "unverifiable"},
    });
  });

  it("says browser_unavailable for what only looked, which may be tried again", async () => {
    const {asked, onRun} = silentPeer();
    const peer = await connectPeer(enrolment, {onRun});
    const client = await agent();
    const running = client.runAny("expect", {conditions: {type: "no_dialog"}, timeout_ms: 0});
    await asked;
    peer.socket.terminate();
    expect(await running).toMatchObject({ok: false, error: {code: "browser_unavailable", recoverable: true}});
  });

  it("answers once, however early or late in the answer the cut comes", async () => {
    const client = await agent();
    const length = answerFrame({op: "click", action_id: "s1-1", session: {id: "s1"}}).length;
    for (let bytes = 0; bytes < length; bytes += 5) {
      let runs = 0;
      const {asked, onRun} = silentPeer();
      const cut = await connectPeer(enrolment, {
        epoch: "one",
        async onRun(params) {
          runs += 1;
          return onRun(params);
        },
      });
      const running = client.runAny("click", {target: "Save"});
      const params = await asked;
      const raw = rawSocketOf(cut.socket);
      raw.write(answerFrame(params).subarray(0, bytes), () => raw.destroy());
      // The journal of a real extension knows it: what was done is answered, not done again.
      await connectPeer(enrolment, {epoch: "one", onRun: async (again) => success(again, {from: "journal"})});
      expect(await running).toMatchObject({ok: true, action_id: params.action_id});
      expect(runs).toBe(1);
    }
  }, 60_000);
});

describe("cancelling", () => {
  it("reaches the extension, and the caller is told that it may have happened", async () => {
    let aborted: () => void = () => undefined;
    const sawAbort = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    let came: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      came = resolve;
    });
    await connectPeer(enrolment, {
      onRun: (_, signal) =>
        new Promise(() => {
          signal.addEventListener("abort", aborted);
          came();
        }),
    });
    const client = await agent();
    const controller = new AbortController();
    const running = client.runAny("click", {target: "Save"}, {signal: controller.signal});
    await asked;
    controller.abort();
    expect(await running).toMatchObject({
      ok: false,
      error: {code: "cancelled"},
      action: {effect: "unverifiable"},
    });
    await sawAbort;
  });

  it("ends the wait for a browser", async () => {
    const client = await agent();
    const controller = new AbortController();
    const running = client.runAny("tab_list", {}, {signal: controller.signal});
    controller.abort();
    expect(await running).toMatchObject({ok: false, error: {code: "cancelled"}});
  });

  it("cancels what a vanished client had asked for", async () => {
    let aborted: () => void = () => undefined;
    const sawAbort = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    let came: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      came = resolve;
    });
    await connectPeer(enrolment, {
      onRun: (_, signal) =>
        new Promise(() => {
          signal.addEventListener("abort", aborted);
          came();
        }),
    });
    const client = await connect({start: false});
    void client.runAny("click", {target: "Save"});
    await asked;
    await client.close();
    await sawAbort;
  });
});

describe("what no honest extension sends", () => {
  it.each([
    ["a binary frame", Buffer.from("{}"), 4400],
    ["no JSON", "]", 4400],
    ["no message", JSON.stringify({t: "run"}), 4400],
    ["an unsafe id", '{"t":"req","id":1e400,"method":"x"}', 4400],
    ["a frame over 1 MiB", "x".repeat(1024 * 1024 + 1), 1009],
  ])("closes the connection for %s, and serves the next", async (_, sent, code) => {
    const peer = await connectPeer(enrolment);
    peer.socket.send(sent);
    expect(await peer.closed).toBe(code);
    await connectPeer(enrolment);
    expect((await (await agent()).runAny("tab_list", {})).ok).toBe(true);
  });

  it("closes a message in more than 64 fragments", async () => {
    const peer = await connectPeer(enrolment);
    const code = closeCode(peer.socket);
    for (let index = 0; index < 70; index += 1) peer.socket.send("x", {fin: false});
    expect(await code).not.toBe(1000);
    await connectPeer(enrolment);
    expect((await (await agent()).runAny("tab_list", {})).ok).toBe(true);
  });

  it.each([
    ["nothing", () => null],
    ["no result", () => ({ok: true})],
    ["another action's result", (params: RunParams) => ({...success(params, {}), action_id: "s9-9"})],
    ["another session's result", (params: RunParams) => ({...success(params, {}), session_id: "s9"})],
    [
      "a result that breaks the rules",
      (params: RunParams) => ({...success(params, {}), action: {effect: "confirmed", route: "dom"}}),
    ],
    ["a result with unknown fields", (params: RunParams) => ({...success(params, {}), selector: "#x"})],
  ])("makes command_failed of %s", async (_, answer) => {
    await connectPeer(enrolment, {
      onRun: async (params) => (params.op === "click" ? answer(params) : success(params, {})),
    });
    const client = await agent();
    const result = await client.runAny("click", {target: "Save"});
    expect(result).toMatchObject({
      ok: false,
      error: {code: "command_failed"},
      action: {effect: "unverifiable"},
    });
    expect((await client.runAny("tab_list", {})).ok).toBe(true);
  });

  it("ignores an answer to nothing, a second answer, and prototypes in JSON", async () => {
    const peer = await connectPeer(enrolment);
    peer.socket.send(JSON.stringify({t: "res", id: 77, result: {}}));
    peer.socket.send(
      '{"t":"event","name":"state","params":{"__proto__":{"leases":9},"leases":-1,"stopped":"yes"}}',
    );
    peer.socket.send(`{"t":"event","name":"deep","params":${"[".repeat(50_000)}${"]".repeat(50_000)}}`);
    const client = await agent();
    expect((await client.runAny("tab_list", {})).ok).toBe(true);
    expect((await client.status()).browsers[0]).toMatchObject({connected: true, leases: 0, stopped: false});
  });

  it("carries an answer far longer than one frame", async () => {
    const text = 'é\u{1f600}"\\\n'.repeat(100_000);
    await connectPeer(enrolment, {onRun: async (params) => success(params, {text})});
    const client = await agent();
    const result = await client.runAny("observe", {});
    const [note] = result.notes ?? [];
    expect(note).toMatchObject({
      note: "result_kept_aside",
      result_id: result.action_id,
      total_chars: JSON.stringify({text}).length,
    });
    let read = "";
    for (let start: number | null = 0; start !== null; ) {
      const part: {data?: unknown} = await client.run("result_get", {
        result_id: result.action_id,
        start,
        max_chars: 60_000,
      });
      const data = part.data as {text: string; next_start: number | null};
      read += data.text;
      start = data.next_start;
    }
    expect(JSON.parse(read)).toEqual({text});
  });
});

describe("the agents' socket", () => {
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let received = "";
      const socket = new Socket();
      socket.connect(home().socket, () => socket.write(text));
      socket.setEncoding("utf8").on("data", (chunk: string) => {
        received += chunk;
      });
      socket.on("close", () => resolve(received)).on("error", reject);
    });
  const upgrade = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`;

  it("serves one path, and nothing that comes from a browser", async () => {
    expect(await raw(`GET / HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`)).toContain("404");
    expect(await raw(`GET ${AGENT_PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toContain("404");
    expect(
      await raw(`GET ${AGENT_PATH} HTTP/1.1\r\nHost: x\r\nOrigin: http://evil.example\r\n${upgrade}\r\n`),
    ).toContain("404");
  });

  it("closes a client that does not say hello", async () => {
    expect(await raw(`GET ${AGENT_PATH} HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`)).toContain("101");
  }, 10_000);

  it("gives nobody a session by a wrong token, and no operation without a session", async () => {
    const owner = await agent({sessionName: "mine"});
    const resume = (session: string, token: string): ConnectOptions => ({
      start: false,
      resume: {session, token},
    });
    await expect(connect(resume("mine", "wrong"))).rejects.toMatchObject({code: "session_not_found"});
    await expect(connect(resume(owner.sessionId ?? "", ""))).rejects.toMatchObject({
      code: "session_not_found",
    });
    const none = await agent({session: "none"});
    expect(await none.runAny("tab_list", {})).toMatchObject({ok: false, error: {code: "session_not_found"}});
  });
});

/** The WebSocket frames of a right answer, as they go over the wire (masked with zeros). */
function answerFrame(params: Pick<RunParams, "op" | "action_id"> & {session: {id: string}}): Buffer {
  const result = success(
    {...params, session: {...params.session, name: "n", client: "c"}, input: {}, started_at_ms: 0},
    {from: "first"},
  );
  const payload = Buffer.from(JSON.stringify({t: "res", id: 1, result}));
  const head = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0]);
  return Buffer.concat([head, payload]);
}

/** The TCP socket under a WebSocket, to write half a frame to. */
function rawSocketOf(socket: object): Socket {
  const raw = "_socket" in socket ? socket._socket : null;
  if (!(raw instanceof Socket)) throw new Error("no raw socket");
  return raw;
}
