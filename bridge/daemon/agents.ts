// The agents' door: a WebSocket over the Unix socket. Whoever may open the socket's folder may speak here, so file
// permissions are the authentication; tokens only keep one agent out of another's session.
import type {Server} from "node:http";
import {type WebSocket, WebSocketServer} from "ws";
import type {z} from "zod";
import type {Answerer, Channel} from "../../shared/channel.ts";
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import {
  AGENT_PATH,
  awaitBrowserParamsSchema,
  browserParamsSchema,
  type ClientHello,
  type ClientWelcome,
  clientHelloSchema,
  clientMethods,
  clientRunSchema,
  type Enrolment,
  enrolParamsSchema,
  extensionMethods,
  openInParamsSchema,
  PROTOCOL_VERSION,
  type Status,
} from "../../shared/protocol.ts";
import {VERSION} from "../version.ts";
import {type Browsers, browserUnavailable} from "./browsers.ts";
import type {Clock} from "./clock.ts";
import type {Keys} from "./keys.ts";
import type {Relay} from "./relay.ts";
import type {Session, Sessions} from "./sessions.ts";
import {channelOver, closeReasons, socketOptions} from "./socket.ts";

export interface AgentsOptions {
  clock: Clock;
  sessions: Sessions;
  browsers: Browsers;
  relay: Relay;
  keys: Keys;
  port(): number;
  status(): Status;
  shutdown(): void;
  onChange(): void;
}

export interface Agents {
  readonly count: number;
  close(): void;
}

/** Serves agents on an http server that listens elsewhere. */
export function serveAgents(http: Server, options: AgentsOptions): Agents {
  const sockets = new WebSocketServer({...socketOptions, noServer: true});
  const channels = new Set<Channel>();
  http.on("request", (_, response) =>
    response.writeHead(404, {connection: "close", "content-length": 0}).end(),
  );
  http.on("upgrade", (request, stream, head) => {
    stream.on("error", () => stream.destroy());
    // No browser reaches a Unix socket; one that seems to is a mistake of someone's proxy.
    if (request.url !== AGENT_PATH || request.headers.origin !== undefined) {
      stream.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const channel = serveAgent(socket, options, () => {
        channels.delete(channel);
        options.onChange();
      });
      channels.add(channel);
      options.onChange();
    });
  });

  return {
    get count() {
      return channels.size;
    },
    close() {
      for (const channel of channels) channel.close(closeReasons.shuttingDown);
    },
  };
}

function serveAgent(socket: WebSocket, options: AgentsOptions, onClose: () => void): Channel {
  const {sessions, browsers, relay, keys, clock} = options;
  let greeted = false;
  let session: Session | null = null;

  const answers: Record<string, Answerer> = {
    [clientMethods.run]: async (_, params, {signal}) => {
      const {op, input} = parsed(clientRunSchema, params);
      if (session === null)
        throw new SubletError(
          "session_not_found",
          "this connection has no session, so it runs no operations",
        );
      return relay.run(session, op, input, signal);
    },
    [clientMethods.status]: async () => options.status(),
    [clientMethods.shutdown]: async () => void setImmediate(options.shutdown),
    [clientMethods.enrol]: async (_, params): Promise<Enrolment> => {
      const {label} = parsed(enrolParamsSchema, params);
      const {install_id, key} = await keys.enrol(label);
      return {install_id, bridge_id: keys.bridgeId, port: options.port(), key, label};
    },
    [clientMethods.forget]: async (_, params) => {
      const {install_id} = parsed(browserParamsSchema, params);
      // A person's own browser is disconnected by the person, in the popup.
      if (keys.of(install_id)?.kind !== "launched") return;
      await keys.forget(install_id);
      browsers.forget(install_id);
      sessions.unpin(install_id);
    },
    [clientMethods.awaitBrowser]: async (_, params, {signal}) => {
      const {install_id, timeout_ms} = parsed(awaitBrowserParamsSchema, params);
      const link = await browsers.link(install_id, clock.now() + timeout_ms, signal);
      if (link === null) throw browserUnavailable(keys.of(install_id)?.label ?? install_id);
    },
    [clientMethods.open]: async (_, params, {signal}) => {
      const {install_id, urls} = parsed(openInParamsSchema, params);
      const link = await browsers.link(install_id, clock.now(), signal);
      if (link === null) throw browserUnavailable(keys.of(install_id)?.label ?? install_id);
      return link.channel.request(
        extensionMethods.open,
        {urls},
        {signal, timeoutMs: LIMITS.navigationTimeoutMs},
      );
    },
    [clientMethods.bye]: async () => {
      const own = session;
      session = null;
      if (own !== null) await leave(own);
    },
  };

  socket.on("error", () => socket.terminate());
  const channel = channelOver(socket, {
    async answer(method, params, context) {
      if (method === clientMethods.hello && !greeted) return greet(parsed(clientHelloSchema, params));
      const answer = Object.hasOwn(answers, method) ? answers[method] : undefined;
      if (!greeted || answer === undefined)
        throw new SubletError("invalid_arguments", `no method "${method}" here now`);
      return answer(method, params, context);
    },
    onClose() {
      cancelGreeting();
      if (session !== null) sessions.detach(session);
      onClose();
    },
  });
  const cancelGreeting = clock.after(LIMITS.handshakeFirstMessageMs, () => {
    if (!greeted) channel.close("no hello");
  });
  return channel;

  async function greet(hello: ClientHello): Promise<ClientWelcome> {
    if (hello.version !== PROTOCOL_VERSION) throw versionMismatch(hello.version);
    greeted = true;
    cancelGreeting();
    const {session: opened, token} = await sessionFor(hello, sessions);
    // The client may be gone again by the time that its session is on the disk.
    if (opened !== null) {
      sessions.attach(opened);
      if (channel.closed) sessions.detach(opened);
      else session = opened;
      opened.browser = hello.browser ?? opened.browser;
    }
    return {session_id: opened?.record.id ?? null, token, bridge_version: VERSION, bridge_pid: process.pid};
  }

  /** A clean goodbye finalizes a connection's session, once nobody else speaks for it. */
  async function leave(own: Session): Promise<void> {
    const isLast = own.attached === 1;
    if (own.record.kind !== "connection" || !isLast || own.ended) return sessions.detach(own);
    sessions.end(own);
    sessions.detach(own);
    const settled = new AbortController();
    const finalized = relay
      .finalize(own)
      .catch(() => undefined)
      .finally(() => settled.abort());
    const {install_id} = own.record;
    // With the browser away nobody waits: the session is finalized when it is back, or by the extension itself.
    if (install_id !== null) await Promise.race([finalized, browsers.gone(install_id, settled.signal)]);
  }
}

async function sessionFor(
  hello: ClientHello,
  sessions: Sessions,
): Promise<{session: Session | null; token: string | null}> {
  if (hello.session === "none") return {session: null, token: null};
  if (hello.resume !== undefined)
    return {session: sessions.resume(hello.resume.session, hello.resume.token), token: hello.resume.token};
  const client = `${hello.client.name} ${hello.client.version}`.slice(0, 100);
  return sessions.open({name: hello.session_name ?? hello.client.name, client, kind: hello.session});
}

function parsed<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => ({path: issue.path.join("."), expected: issue.message}));
  throw new SubletError(
    "invalid_arguments",
    issues.map(({path, expected}) => `${path}: ${expected}`).join("; "),
    {details: {issues}},
  );
}

const versionMismatch = (theirs: number): SubletError => {
  const older = theirs < PROTOCOL_VERSION ? "the client" : "the bridge";
  return new SubletError(
    "version_mismatch",
    `the client speaks protocol ${theirs}, the bridge ${PROTOCOL_VERSION}: update ${older}, then run sublet stop`,
    {details: {older}},
  );
};
