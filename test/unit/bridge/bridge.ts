// A bridge in this process, with its own home, and an extension's peer that speaks the protocol over a real socket.
import {createHmac, randomUUID} from "node:crypto";
import {mkdtempSync, rmSync} from "node:fs";
import {createServer} from "node:http";
import {createConnection} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pino} from "pino";
import {onTestFinished} from "vitest";
import {WebSocket} from "ws";
import {type Connection, type ConnectOptions, connect} from "../../../bridge/client/connect.ts";
import {type Clock, systemClock} from "../../../bridge/daemon/clock.ts";
import {startDaemon} from "../../../bridge/daemon/daemon.ts";
import {takeOffice} from "../../../bridge/daemon/election.ts";
import {channelOver} from "../../../bridge/daemon/socket.ts";
import {ensurePrivateFolder, type Home, home} from "../../../bridge/home.ts";
import type {Channel} from "../../../shared/channel.ts";
import type {SubletError} from "../../../shared/errors.ts";
import {
  AGENT_PATH,
  type Challenge,
  challengeSchema,
  type Enrolment,
  EXTENSION_ORIGIN,
  EXTENSION_PATH,
  type Hello,
  PROTOCOL_VERSION,
  type RunParams,
  transcript,
} from "../../../shared/protocol.ts";
import {type ActionResult, fail, inputOperations, type RunFacts, succeed} from "../../../shared/result.ts";

/** A home of its own for this test, removed when the test ends. */
export function scratchHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), "sublet-"));
  process.env.SUBLET_HOME = folder;
  onTestFinished(() => rmSync(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 50}));
  return home();
}

/** Starts a bridge in this process; agents reach it with `connect`. */
export async function startBridge(clock: Clock = systemClock, where: Home = scratchHome()) {
  for (const folder of [where.state, where.run, where.artifacts]) ensurePrivateFolder(folder);
  const http = createServer();
  if (!(await takeOffice(http, where))) throw new Error("another bridge answers in this home");
  let whyEnded: string | null = null;
  const daemon = await startDaemon({
    home: where,
    http,
    clock,
    log: pino({level: "silent"}),
    onEnd(why) {
      whyEnded = why;
    },
  });
  const stop = async () => {
    http.close();
    await daemon.stop();
  };
  onTestFinished(stop);
  return {
    home: where,
    stop,
    get whyEnded() {
      return whyEnded;
    },
  };
}

export async function agent(options: ConnectOptions = {}): Promise<Connection> {
  const connection = await connect({start: false, client: {name: "test", version: "1"}, ...options});
  onTestFinished(() => connection.close());
  return connection;
}

/** A key for a peer, as launch gets one. */
export async function enrol(label = "Browser"): Promise<Enrolment> {
  const connection = await connect({start: false, session: "none"});
  const enrolment = await connection.enrol(label);
  await connection.close();
  return enrolment;
}

export interface PeerOptions {
  epoch?: string;
  name?: string;
  onRun?: (params: RunParams, signal: AbortSignal) => Promise<unknown>;
  onFinalize?: (params: RunParams) => Promise<unknown>;
}

export interface Peer {
  socket: WebSocket;
  channel: Channel;
  epoch: string;
  /** What it was asked to run, in order. */
  asked: RunParams[];
  /** Resolves with the code that its socket was closed with. */
  closed: Promise<number>;
}

/** Connects as the extension of an enrolment, through the whole handshake. Finalizes sessions well, unless told otherwise. */
export async function connectPeer(enrolment: Enrolment, options: PeerOptions = {}): Promise<Peer> {
  const {epoch = randomUUID(), name = enrolment.label, onRun = answerWell, onFinalize = answerWell} = options;
  const socket = await dial(enrolment.port);
  const hello = helloOf(enrolment.install_id, epoch);
  const challenged = nextJson(socket);
  socket.send(JSON.stringify(hello));
  const challenge = challengeSchema.parse(await challenged);
  const asked: RunParams[] = [];
  const closed = closeCode(socket);
  const ready = new Promise<Channel>((resolve, reject) => {
    // The bridge may ask in the same breath in which it says that it is ready.
    socket.once("message", () => {
      const channel = channelOver(socket, {
        async answer(method, params, {signal}) {
          if (method !== "run") return null;
          const run = params as RunParams;
          if (run.op === "session_finalize") return onFinalize(run);
          asked.push(run);
          return onRun(run, signal);
        },
      });
      resolve(channel);
    });
    socket.once("close", (code) => reject(new Error(`closed with ${code}`)));
  });
  const mac = macOf(enrolment.key, "extension", enrolment.port, hello, challenge);
  socket.send(JSON.stringify({t: "proof", mac, browser: {name, product: "Test 1"}}));
  return {socket, channel: await ready, epoch, asked, closed};
}

export async function dial(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${EXTENSION_PATH}`, {
    origin: EXTENSION_ORIGIN,
    perMessageDeflate: false,
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  socket.on("error", () => undefined);
  onTestFinished(() => socket.terminate());
  return socket;
}

export const helloOf = (installId: string, epoch: string): Hello => ({
  t: "hello",
  versions: [1, 1],
  install_id: installId,
  epoch,
  extension_version: "0.1.0",
  nonce: Buffer.alloc(32, 7).toString("base64"),
});

export const macOf = (
  key: string,
  label: "bridge" | "extension",
  port: number,
  hello: Hello,
  challenge: Challenge,
): string =>
  createHmac("sha256", Buffer.from(key, "base64"))
    .update(
      transcript(label, {
        port,
        origin: EXTENSION_ORIGIN,
        hello,
        version: challenge.version,
        bridge_id: challenge.bridge_id,
        bridge_nonce: challenge.nonce,
      }),
    )
    .digest("base64");

export const nextJson = (socket: WebSocket): Promise<unknown> =>
  new Promise((resolve, reject) => {
    socket.once("message", (data) => resolve(JSON.parse(String(data))));
    socket.once("close", (code) => reject(new Error(`closed with ${code}`)));
  });

export const closeCode = (socket: WebSocket): Promise<number> =>
  new Promise((resolve) => socket.once("close", resolve));

/** What a well-behaved extension answers: it did what it was asked. */
export const answerWell = async (params: RunParams): Promise<ActionResult> => success(params, {});

export const success = (params: RunParams, data: unknown): ActionResult =>
  succeed(
    factsOf(params),
    {
      data,
      ...(inputOperations.has(params.op) && {
        action: {effect: "unverifiable" as const, route: "trusted_input" as const},
      }),
    },
    Date.now(),
  );

export const failure = (params: RunParams, error: SubletError): ActionResult =>
  fail(factsOf(params), error, {}, Date.now());

const factsOf = (params: RunParams): RunFacts => ({
  op: params.op,
  action_id: params.action_id,
  session_id: params.session.id,
  started_at_ms: params.started_at_ms,
  timeout_ms: 10_000,
});

/** Time that only the test moves. */
export function testClock(startMs = 1_000_000) {
  let nowMs = startMs;
  const timers = new Map<symbol, {dueMs: number; call: () => void}>();
  const waiters: {ms: number; resolve: () => void}[] = [];
  return {
    now: () => nowMs,
    after(ms: number, call: () => void) {
      const id = Symbol();
      timers.set(id, {dueMs: nowMs + ms, call});
      for (const waiter of waiters) if (waiter.ms === ms) waiter.resolve();
      return () => void timers.delete(id);
    },
    advance(ms: number) {
      const untilMs = nowMs + ms;
      for (;;) {
        const [next] = [...timers]
          .filter(([, timer]) => timer.dueMs <= untilMs)
          .sort(([, a], [, b]) => a.dueMs - b.dueMs);
        if (next === undefined) break;
        nowMs = Math.max(nowMs, next[1].dueMs);
        timers.delete(next[0]);
        next[1].call();
      }
      nowMs = untilMs;
    },
    /** Resolves when something waits for exactly so long from now: only then is it right to move the time. */
    waiting(ms: number): Promise<void> {
      if ([...timers.values()].some(({dueMs}) => dueMs === nowMs + ms)) return Promise.resolve();
      return new Promise((resolve) => waiters.push({ms, resolve}));
    },
  } satisfies Clock & Record<string, unknown>;
}

/** An agent's connection that is cut instead of closed. */
export async function vanishingAgent(): Promise<{run(op: string): Promise<unknown>; vanish(): void}> {
  const socket = new WebSocket(`ws://localhost${AGENT_PATH}`, {
    perMessageDeflate: false,
    createConnection: () => createConnection(home().socket),
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const channel = channelOver(socket, {answer: async () => null});
  await channel.request("hello", {version: PROTOCOL_VERSION, client: {name: "vanishing", version: "1"}});
  return {run: (op) => channel.request("run", {op, input: {}}), vanish: () => socket.terminate()};
}
