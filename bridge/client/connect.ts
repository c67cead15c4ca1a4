// An agent's connection to the bridge: found, or started; said hello to; made again when it was lost.
import {createConnection} from "node:net";
import {WebSocket} from "ws";
import type {Channel} from "../../shared/channel.ts";
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import {
  type OperationName,
  type Output,
  operationNamed,
  type RawInput,
} from "../../shared/operations/index.ts";
import {
  AGENT_PATH,
  type ClientHello,
  type ClientWelcome,
  clientMethods,
  clientWelcomeSchema,
  type Enrolment,
  enrolmentSchema,
  PROTOCOL_VERSION,
  type Status,
  statusSchema,
} from "../../shared/protocol.ts";
import {type ActionResult, actionResultSchema} from "../../shared/result.ts";
import {answers} from "../daemon/election.ts";
import {channelOver, socketOptions} from "../daemon/socket.ts";
import {home} from "../home.ts";
import {failedHere} from "../run.ts";
import {VERSION} from "../version.ts";
import {startBridge} from "./start.ts";

export interface ConnectOptions {
  /** What the client says it is; shown to the person. */
  client?: {name: string; version: string};
  /** What the session is called; the client's name by default. */
  sessionName?: string;
  /** connection (default): the session ends with `close`. shell: it stays, to be resumed. none: no operations. */
  session?: "connection" | "shell" | "none";
  /** Takes up a session again: its name or id, and its token. */
  resume?: {session: string; token: string};
  /** The connected browser to work in, by letter or name, when there are several. */
  browser?: string;
  /** Starts the bridge when none answers; default true. */
  start?: boolean;
}

export interface RunOptions {
  signal?: AbortSignal;
}

export interface Connection {
  readonly sessionId: string | null;
  /** Proves the session to the bridge when it is resumed; a secret. */
  readonly token: string | null;
  readonly bridgeVersion: string;
  /**
   * Runs one operation. What the operation met is in the result; only a bridge that can't be reached is thrown.
   * @throws SubletError command_failed
   */
  run<Name extends OperationName>(
    op: Name,
    input: RawInput<Name>,
    options?: RunOptions,
  ): Promise<ActionResult<Output<Name>>>;
  runAny(op: string, input: unknown, options?: RunOptions): Promise<ActionResult>;
  status(): Promise<Status>;
  /** Ends the bridge. */
  shutdown(): Promise<void>;
  /** Makes the key of a browser that launch is about to start. */
  enrol(label: string): Promise<Enrolment>;
  forget(installId: string): Promise<void>;
  /** @throws SubletError browser_unavailable */
  awaitBrowser(installId: string, timeoutMs: number): Promise<void>;
  /** Opens pages as the person's own tabs in a browser that launch started. */
  open(installId: string, urls: readonly string[]): Promise<void>;
  /** A clean end: the session is finalized, unless it is a shell's. */
  close(): Promise<void>;
  /** Why it ended: closed, lost, or its session is over. A lost one is made again at the next call, by itself. */
  readonly closed: Promise<string>;
}

interface Live {
  channel: Channel;
  welcome: ClientWelcome;
}

/**
 * Connects to the bridge of this user, and starts it first when none runs.
 * @throws SubletError command_failed when it can't be reached or started; session_not_found, session_ended,
 * session_limit, version_mismatch when it refuses the session.
 */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  let end: (reason: string) => void = () => undefined;
  const closed = new Promise<string>((resolve) => {
    end = resolve;
  });
  let isClosed = false;
  let live: Live | null = await reach(options, options.resume, end);
  let reaching: Promise<Live> | null = null;
  const {session_id, token, bridge_version} = live.welcome;

  return {
    sessionId: session_id,
    token,
    bridgeVersion: bridge_version,
    async run(op, input, runOptions) {
      // The bridge answered an operation of this name, whose output the registry describes.
      return (await runAny(op, input, runOptions)) as ActionResult<Output<typeof op>>;
    },
    runAny,
    status: async () => statusSchema.parse(await ask(clientMethods.status, {})),
    shutdown: async () => void (await ask(clientMethods.shutdown, {})),
    enrol: async (label) => enrolmentSchema.parse(await ask(clientMethods.enrol, {label})),
    forget: async (installId) => void (await ask(clientMethods.forget, {install_id: installId})),
    awaitBrowser: async (installId, timeoutMs) =>
      void (await ask(clientMethods.awaitBrowser, {install_id: installId, timeout_ms: timeoutMs})),
    open: async (installId, urls) => void (await ask(clientMethods.open, {install_id: installId, urls})),
    close,
    closed,
  };

  async function runAny(op: string, input: unknown, runOptions: RunOptions = {}): Promise<ActionResult> {
    const startedAtMs = Date.now();
    for (let tries = 0; ; tries += 1) {
      const {channel} = await present();
      try {
        const result = actionResultSchema.parse(
          await channel.request(clientMethods.run, {op, input}, runOptions),
        );
        // There is nothing more to be had from this connection: whoever holds it makes a new one.
        if (result.error?.code === "session_ended") end("the session has ended");
        return result;
      } catch (thrown) {
        // The bridge died under it. What only looks, or never left, is asked of the next bridge; the rest may have happened.
        const again = tries === 0 && channel.closed && isHarmless(op, thrown);
        if (!again) return failedHere(op, thrown, {startedAtMs, sent: true});
      }
    }
  }

  async function ask(method: string, params: unknown): Promise<unknown> {
    const {channel} = await present();
    return channel.request(method, params);
  }

  /** The live connection, made again if it was lost: the same session, by its token. */
  async function present(): Promise<Live> {
    if (isClosed) throw new SubletError("session_ended", "this connection was closed");
    if (live !== null && !live.channel.closed) return live;
    const resume = session_id === null || token === null ? undefined : {session: session_id, token};
    reaching ??= reach(options, resume, end).finally(() => {
      reaching = null;
    });
    live = await reaching;
    return live;
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    end("closed");
    const last = live;
    if (last === null || last.channel.closed) return;
    // A goodbye that gets no answer ends all the same; the bridge finalizes an orphaned session by itself.
    await last.channel
      .request(clientMethods.bye, {}, {timeoutMs: LIMITS.operationTimeoutMs})
      .catch(() => undefined);
    last.channel.close("closed by the client");
  }
}

function isHarmless(op: string, thrown: unknown): boolean {
  const {code, data} = SubletError.from(thrown);
  return code === "command_lost" && (data.details?.sent === false || operationNamed(op)?.effect === "read");
}

async function reach(
  options: ConnectOptions,
  resume: ConnectOptions["resume"],
  onLost: (reason: string) => void,
): Promise<Live> {
  const where = home();
  const hello: ClientHello = {
    version: PROTOCOL_VERSION,
    client: options.client ?? {name: "client", version: VERSION},
    session: options.session ?? "connection",
    ...(options.sessionName !== undefined && {session_name: options.sessionName}),
    ...(options.browser !== undefined && {browser: options.browser}),
    ...(resume !== undefined && {resume}),
  };
  for (let tries = 0; ; tries += 1) {
    if (!(await answers(where.socket))) {
      if (options.start === false)
        throw new SubletError("command_failed", "no Sublet bridge is running", {
          details: {cause: "not running"},
        });
      await startBridge(where);
    }
    try {
      return await greet(where.socket, hello, onLost);
    } catch (thrown) {
      const error = SubletError.from(thrown);
      // A bridge that was just ending when we knocked: the next one is a moment away.
      if (error.code !== "command_lost" || tries >= 3) throw error;
    }
  }
}

async function greet(path: string, hello: ClientHello, onLost: (reason: string) => void): Promise<Live> {
  const socket = await openSocket(path);
  let isLive = false;
  const channel = channelOver(socket, {
    onClose: (reason) => isLive && onLost(reason),
    answer: async (method) => {
      throw new SubletError("invalid_arguments", `the client has no method ${method}`);
    },
  });
  try {
    const welcome = await channel.request(clientMethods.hello, hello, {timeoutMs: LIMITS.daemonStartMs});
    isLive = true;
    return {channel, welcome: clientWelcomeSchema.parse(welcome)};
  } catch (thrown) {
    channel.close("no welcome");
    throw thrown;
  }
}

function openSocket(path: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://localhost${AGENT_PATH}`, {
      ...socketOptions,
      createConnection: () => createConnection(path),
    });
    socket.once("open", () => {
      socket.off("error", onError);
      socket.on("error", () => socket.terminate());
      resolve(socket);
    });
    const onError = (error: Error) =>
      reject(
        new SubletError(
          "command_lost",
          `the bridge did not answer: ${error.message}`,
          {details: {sent: false}},
          error,
        ),
      );
    socket.once("error", onError);
  });
}
