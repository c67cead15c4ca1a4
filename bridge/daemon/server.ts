// The extension's door: one path on 127.0.0.1. Everything is checked before the socket is accepted (security 4.1),
// and whatever fails gets 403 or 404 with an empty body.
import {createServer, type IncomingMessage, type Server} from "node:http";
import type {AddressInfo} from "node:net";
import type {Duplex} from "node:stream";
import {type WebSocket, WebSocketServer} from "ws";
import {LIMITS} from "../../shared/limits.ts";
import {EXTENSION_ORIGIN, EXTENSION_PATH} from "../../shared/protocol.ts";
import {type AuthOptions, authenticate, type Proven} from "./auth.ts";
import {socketOptions} from "./socket.ts";
import {codeOf} from "./state-file.ts";

export interface ExtensionServer {
  readonly port: number;
  close(): void;
}

export interface ExtensionServerOptions extends Omit<AuthOptions, "port"> {
  /** Tried in this order; the first that is free is taken. 0 is any. */
  ports: readonly number[];
  /** Called with a socket that has proven itself, before `ready` is sent; whoever gets it owns it. */
  onProven(socket: WebSocket, proven: Proven): void;
  onRefused(what: string): void;
}

/** Listens for extensions. */
export async function serveExtensions(options: ExtensionServerOptions): Promise<ExtensionServer> {
  const http = createServer({
    maxHeaderSize: 8 * 1024,
    headersTimeout: 5_000,
    requestTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
    // A request without Host is refused below, like any other that is wrong.
    requireHostHeader: false,
  });
  http.maxConnections = 32;
  const sockets = new WebSocketServer({...socketOptions, noServer: true});
  let port = 0;
  let unproven = 0;

  http.on("request", (request, response) => {
    options.onRefused(`${request.method} without upgrade`);
    response
      .writeHead(request.url === EXTENSION_PATH ? 403 : 404, {connection: "close", "content-length": 0})
      .end();
  });
  http.on("upgrade", (request, stream, head) => {
    stream.on("error", () => stream.destroy());
    const wrong = request.url === EXTENSION_PATH ? wrongWith(request, port) : "path";
    if (wrong !== null) return refuse(stream, wrong === "path" ? 404 : 403, wrong);
    if (unproven >= LIMITS.unprovenSockets) return refuse(stream, 403, "too many unproven sockets");
    sockets.handleUpgrade(request, stream, head, (socket) => void prove(socket));
  });

  port = await listenOnFirstFree(http, options.ports);
  return {
    port,
    close() {
      http.close();
      http.closeAllConnections();
      for (const socket of sockets.clients) socket.terminate();
    },
  };

  async function prove(socket: WebSocket): Promise<void> {
    unproven += 1;
    // ws reports a broken frame here, and closes the socket by itself.
    socket.on("error", () => options.onRefused("broken frame"));
    const outcome = await authenticate(socket, {...options, port});
    unproven -= 1;
    if (!("refused" in outcome)) return options.onProven(socket, outcome);
    options.onRefused(`handshake ${outcome.refused}`);
    socket.close(outcome.refused);
  }

  function refuse(stream: Duplex, status: 403 | 404, what: string): void {
    options.onRefused(what);
    const reason = status === 403 ? "Forbidden" : "Not Found";
    stream.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  }
}

/** What is wrong with a request to upgrade, or null. Compared as whole strings: nothing is normalised, nothing guessed. */
function wrongWith(request: IncomingMessage, port: number): string | null {
  if (request.method !== "GET" || request.httpVersion !== "1.1") return "method";
  if (!isOnly(headers(request, "host"), `127.0.0.1:${port}`)) return "host";
  if (!isOnly(headers(request, "origin"), EXTENSION_ORIGIN)) return "origin";
  if (request.headers.upgrade?.toLowerCase() !== "websocket") return "upgrade";
  if (!isOnly(headers(request, "sec-websocket-version"), "13")) return "version";
  if (headers(request, "sec-websocket-protocol").length > 0) return "protocol";
  const [key, ...more] = headers(request, "sec-websocket-key");
  if (key === undefined || more.length > 0 || !/^[+/0-9A-Za-z]{22}==$/.test(key)) return "key";
  return null;
}

const isOnly = (values: string[], wanted: string): boolean => values.length === 1 && values[0] === wanted;

/** All values of a header as they were sent; Node's own `headers` would keep the first of two. */
function headers({rawHeaders}: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

async function listenOnFirstFree(http: Server, ports: readonly number[]): Promise<number> {
  for (const port of ports) {
    const taken = await listen(http, port);
    if (taken !== null) return taken;
  }
  throw new Error("no port of 127.0.0.1 is free");
}

/** The port listened on, or null when it is taken. */
function listen(http: Server, port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => {
      http.off("listening", onListening);
      const isTaken = codeOf(error) === "EADDRINUSE" || codeOf(error) === "EACCES";
      if (isTaken) resolve(null);
      else reject(error);
    };
    const onListening = () => {
      http.off("error", onError);
      resolve((http.address() as AddressInfo).port);
    };
    http.once("error", onError).once("listening", onListening);
    http.listen({port, host: "127.0.0.1", exclusive: true});
  });
}
