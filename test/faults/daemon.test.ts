// The bridge's own process: one a user, whatever is started, killed, or lies in its folders.
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import {createServer} from "node:net";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it, vi} from "vitest";
import {connect} from "../../bridge/client/connect.ts";
import {SubletError} from "../../shared/errors.ts";
import {connectPeer, enrol, scratchHome} from "../unit/bridge/bridge.ts";
import {
  bridgePid,
  bundleBridge,
  bundledCommand,
  runBridge,
  spawnBridge,
  stopStartedBridges,
} from "../unit/bridge/processes.ts";

vi.mock("../../bridge/client/entry.ts", () => ({daemonCommand: () => bundledCommand()}));

let removeBundle = (): void => undefined;
beforeAll(async () => {
  removeBundle = await bundleBridge();
});
afterAll(() => removeBundle());

describe("one bridge a user", () => {
  it("leaves exactly one of twenty started at once", async () => {
    const where = scratchHome();
    const bridges = Array.from({length: 20}, spawnBridge);
    const ended = await firstEnded(
      bridges.map(({exited}) => exited),
      19,
    );
    expect(ended.map(({code, said}) => ({code, said}))).toEqual(Array(19).fill({code: 0, said: ""}));
    const alive = bridges.filter(({child}) => child.exitCode === null && child.signalCode === null);
    expect(alive.map(({child}) => child.pid)).toEqual([await bridgePid()]);
    expect(readdirSync(where.run).sort()).toEqual([
      expect.stringMatching(/^bridge-\d+\.sock$/),
      "bridge.sock",
    ]);
  });

  it("leaves one of twenty where a killed bridge left its socket behind", async () => {
    scratchHome();
    const first = await runBridge();
    first.child.kill("SIGKILL");
    await first.exited;
    const bridges = Array.from({length: 20}, spawnBridge);
    const ended = await firstEnded(
      bridges.map(({exited}) => exited),
      19,
    );
    expect(ended.map(({code}) => code)).toEqual(Array(19).fill(0));
    const alive = bridges.filter(({child}) => child.exitCode === null && child.signalCode === null);
    expect(alive.map(({child}) => child.pid)).toEqual([await bridgePid()]);
  });

  it("serves many clients that all found none running, from one bridge", async () => {
    scratchHome();
    stopStartedBridges();
    const clients = await Promise.all(Array.from({length: 6}, () => connect()));
    const pids = await Promise.all(clients.map(async (client) => (await client.status()).pid));
    expect(new Set(pids).size).toBe(1);
    expect(new Set(clients.map(({sessionId}) => sessionId)).size).toBe(6);
    await Promise.all(clients.map((client) => client.close()));
  });
});

describe("killed and started again", () => {
  it("goes on with the counts, the port and the sessions", async () => {
    scratchHome();
    const first = await runBridge();
    const client = await connect();
    const before = await client.status();
    const used = await client.runAny("capabilities", {});
    first.child.kill("SIGKILL");
    await first.exited;

    stopStartedBridges();
    const result = await client.runAny("capabilities", {});
    const after = await client.status();
    expect(used.action_id).toBe("s1-1");
    expect(result).toMatchObject({ok: true, session_id: "s1"});
    expect(numberOf(result.action_id)).toBeGreaterThan(1);
    expect(after.port).toBe(before.port);
    expect(after.pid).not.toBe(before.pid);
    const other = await connect();
    expect(other.sessionId).toBe("s2");
    await Promise.all([client.close(), other.close()]);
  });

  it("ends what was under way as command_lost, and runs the next", async () => {
    scratchHome();
    const first = await runBridge();
    const client = await connect();
    const enrolment = await enrol();
    const peer = await connectPeer(enrolment, {onRun: () => new Promise(() => {})});
    const running = client.runAny("click", {target: "Save"});
    await until(() => peer.asked.length === 1);
    first.child.kill("SIGKILL");
    expect(await running).toMatchObject({
      ok: false,
      error: {code: "command_lost"},
      action: {effect: "unverifiable"},
    });
    stopStartedBridges();
    expect((await client.runAny("capabilities", {})).ok).toBe(true);
    await client.close();
  });

  it("ends with 0 on SIGTERM and SIGINT, and leaves no socket that answers", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      scratchHome();
      const bridge = await runBridge();
      bridge.child.kill(signal);
      expect((await bridge.exited).code).toBe(0);
      await expect(connect({start: false})).rejects.toMatchObject({code: "command_failed"});
    }
  });

  it("tells a client that it is asked not to start one", async () => {
    scratchHome();
    await expect(connect({start: false})).rejects.toThrow("no Sublet bridge is running");
  });
});

describe("folders and files that are not private", () => {
  it.each([
    ["state", 0o755],
    ["run", 0o777],
    ["artifacts", 0o750],
  ] as const)("stops for a %s folder of mode %o, with the command that mends it", async (name, mode) => {
    const where = scratchHome();
    mkdirSync(where[name], {recursive: true, mode: 0o700});
    chmodSync(where[name], mode);
    const {code, said} = await spawnBridge().exited;
    expect(code).toBe(78);
    expect(said).toContain(`chmod 700 ${where[name]}`);
    // The mended folder starts.
    chmodSync(where[name], 0o700);
    stopStartedBridges();
    await (await connect({session: "none"})).close();
  });

  it("tells a client why the bridge did not start", async () => {
    const where = scratchHome();
    mkdirSync(where.artifacts, {recursive: true});
    chmodSync(where.artifacts, 0o755);
    const error = await connect().then(
      () => null,
      (thrown: unknown) => SubletError.from(thrown),
    );
    expect(error?.code).toBe("command_failed");
    expect(error?.message).toContain(`chmod 700 ${where.artifacts}`);
  });

  it.each(["shared", "link", "hard link", "folder", "damaged", "empty", "other shape"])(
    "stops for a key file: %s",
    async (how) => {
      const where = scratchHome();
      mkdirSync(where.state, {recursive: true, mode: 0o700});
      const path = join(where.state, "keys.json");
      const elsewhere = join(where.state, "elsewhere");
      const good = JSON.stringify({bridge_id: "b", keys: []});
      if (how === "shared") writeFileSync(path, good, {mode: 0o644});
      if (how === "damaged") writeFileSync(path, good.slice(0, -3), {mode: 0o600});
      if (how === "empty") writeFileSync(path, "", {mode: 0o600});
      if (how === "other shape") writeFileSync(path, "[]", {mode: 0o600});
      if (how === "folder") mkdirSync(path, {mode: 0o700});
      if (how === "link" || how === "hard link") writeFileSync(elsewhere, good, {mode: 0o600});
      if (how === "link") symlinkSync(elsewhere, path);
      if (how === "hard link") linkSync(elsewhere, path);
      const before = how === "folder" ? "" : readFileSync(path, "utf8");
      const {code, said} = await spawnBridge().exited;
      expect(code).toBe(78);
      expect(said).toMatch(how === "shared" ? `chmod 600 ${path}` : `mv ${path} `);
      // Nothing was made anew in its place: the keys in it are the person's to save.
      if (how !== "folder") expect(readFileSync(path, "utf8")).toBe(before);
    },
  );

  it("writes only private files, and no secret into the log", async () => {
    const where = scratchHome();
    stopStartedBridges();
    const client = await connect({session: "shell"});
    const {key} = await client.enrol("Browser");
    await client.runAny("result_get", {result_id: "canary-input"});
    await client.close();
    for (const name of readdirSync(where.state).filter((entry) => entry !== "run")) {
      expect({name, mode: statSync(join(where.state, name)).mode & 0o777}).toEqual({name, mode: 0o600});
    }
    const log = readFileSync(join(where.state, "bridge.log"), "utf8");
    expect(log).toContain("result_get");
    for (const secret of [key, client.token, "canary-input"]) expect(log).not.toContain(secret);
    expect(readFileSync(join(where.state, "sessions.json"), "utf8")).not.toContain(client.token);
  });
});

describe("the port", () => {
  it("is another one when it is taken, and the last one is tried first", async () => {
    const where = scratchHome();
    mkdirSync(where.state, {recursive: true, mode: 0o700});
    const squatter = createServer();
    const taken = await new Promise<number>((resolve) => {
      squatter.listen(0, "127.0.0.1", () => {
        const address = squatter.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
    writeFileSync(join(where.state, "bridge.json"), JSON.stringify({pid: 1, port: taken, version: "0"}), {
      mode: 0o600,
    });
    const first = await runBridge();
    const {port} = await statusOnce();
    expect(port).not.toBe(taken);
    first.child.kill("SIGTERM");
    await first.exited;
    squatter.close();
    stopStartedBridges();
    expect((await statusOnce()).port).toBe(port);
    expect(existsSync(where.socket)).toBe(true);
    renameSync(join(where.state, "bridge.json"), join(where.state, "bridge.json.old"));
  });
});

async function statusOnce() {
  const client = await connect({session: "none"});
  const status = await client.status();
  await client.close();
  return status;
}

const numberOf = (actionId: string): number => Number(actionId.split("-")[1]);

/** The first so many that settle. */
function firstEnded<Value>(all: Promise<Value>[], count: number): Promise<Value[]> {
  return new Promise((resolve) => {
    const ended: Value[] = [];
    for (const one of all) {
      void one.then((value) => {
        ended.push(value);
        if (ended.length === count) resolve([...ended]);
      });
    }
  });
}

/** Looks again at every turn of the event loop: what it waits for comes over a socket of this process. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
