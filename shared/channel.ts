// The one request/response engine, over any transport that carries strings: agent to bridge, bridge to extension,
// popup to worker. Every request settles exactly once: by its answer, its deadline, its caller's cancel, or the
// end of the channel. Long messages travel in pieces, so that heartbeats never queue behind a screenshot.
import {SubletError, type WireError} from "./errors.ts";
import {LIMITS} from "./limits.ts";

export interface Transport {
  post(text: string): void;
  close(reason: string): void;
}

export interface RequestContext {
  /** Aborted when the caller cancels or the channel ends. */
  signal: AbortSignal;
}

export type Answerer = (method: string, params: unknown, context: RequestContext) => Promise<unknown>;

export interface ChannelOptions {
  transport: Transport;
  answer: Answerer;
  onEvent?: (name: string, params: unknown) => void;
  onClose?: (reason: string) => void;
  /** Application heartbeats: sent every so often, and the channel ends when two of the other side's are missed. */
  heartbeatMs?: number;
}

export interface RequestOptions {
  /** When it fails with `timeout`; none by default, since most callers have their own deadline. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface Channel {
  request(method: string, params: unknown, options?: RequestOptions): Promise<unknown>;
  emit(name: string, params: unknown): void;
  /** Feeds one received frame. Anything malformed ends the channel. */
  receive(text: string): void;
  /** Ends it: every open request is rejected with command_lost, every running answer is aborted. */
  close(reason: string): void;
  readonly closed: boolean;
}

type Message =
  | {t: "req"; id: number; method: string; params: unknown}
  | {t: "res"; id: number; result?: unknown; error?: WireError}
  | {t: "event"; name: string; params: unknown}
  | {t: "cancel"; id: number}
  | {t: "beat"}
  | {t: "piece"; id: number; last: boolean; data: string};

interface Pending {
  settle(message: {result?: unknown; error?: WireError}): void;
}

export function createChannel(options: ChannelOptions): Channel {
  const {transport} = options;
  const pending = new Map<number, Pending>();
  const running = new Map<number, AbortController>();
  const pieces = new Map<number, string[]>();
  let piecesLength = 0;
  let lastId = 0;
  let closed = false;
  let heardAt = Date.now();
  const heart = options.heartbeatMs === undefined ? undefined : setInterval(beat, options.heartbeatMs);

  return {
    request,
    emit: (name, params) => send({t: "event", name, params}),
    receive,
    close,
    get closed() {
      return closed;
    },
  };

  function request(
    method: string,
    params: unknown,
    {timeoutMs, signal}: RequestOptions = {},
  ): Promise<unknown> {
    if (closed)
      return Promise.reject(
        new SubletError("command_lost", "the connection is closed", {details: {sent: false}}),
      );
    if (signal?.aborted)
      return Promise.reject(new SubletError("cancelled", `${method} was cancelled before it was sent`));
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(
              () => abandon(new SubletError("timeout", `${method} had no answer within ${timeoutMs} ms`)),
              timeoutMs,
            );
      const onAbort = () => abandon(new SubletError("cancelled", `${method} was cancelled`));
      const finish = () => {
        pending.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const abandon = (error: SubletError) => {
        finish();
        if (!closed) send({t: "cancel", id});
        reject(error);
      };
      pending.set(id, {
        settle({result, error}) {
          finish();
          if (error === undefined) resolve(result);
          else reject(SubletError.fromWire(error));
        },
      });
      signal?.addEventListener("abort", onAbort, {once: true});
      try {
        send({t: "req", id, method, params});
      } catch (thrown) {
        // What cannot be put into words (a cycle, a BigInt) never left: only this request fails.
        finish();
        reject(SubletError.from(thrown));
      }
    });
  }

  function receive(text: string): void {
    if (closed) return;
    heardAt = Date.now();
    const message = parse(text);
    if (message === null) return close("malformed message");
    if (message.t === "req") void answer(message.id, message.method, message.params);
    else if (message.t === "res") pending.get(message.id)?.settle(message);
    else if (message.t === "event") options.onEvent?.(message.name, message.params);
    else if (message.t === "cancel") running.get(message.id)?.abort();
    else if (message.t === "piece") join(message);
  }

  async function answer(id: number, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const result = await options.answer(method, params, {signal: controller.signal});
      send({t: "res", id, result});
    } catch (thrown) {
      send({t: "res", id, error: SubletError.from(thrown).toWire()});
    } finally {
      running.delete(id);
    }
  }

  function send(message: Message): void {
    if (closed) return;
    const text = JSON.stringify(message);
    if (text.length <= LIMITS.pieceBytes) return post(text);
    const id = ++lastId;
    for (let start = 0; start < text.length && !closed; start += LIMITS.pieceBytes) {
      const last = start + LIMITS.pieceBytes >= text.length;
      post(JSON.stringify({t: "piece", id, last, data: text.slice(start, start + LIMITS.pieceBytes)}));
    }
  }

  /** A transport that refuses a frame is at its end, whatever it says. */
  function post(frame: string): void {
    try {
      transport.post(frame);
    } catch (thrown) {
      close(thrown instanceof Error ? thrown.message : "the transport failed");
    }
  }

  function join(piece: {id: number; last: boolean; data: string}): void {
    const parts = pieces.get(piece.id) ?? [];
    parts.push(piece.data);
    piecesLength += piece.data.length;
    if (piecesLength > LIMITS.maxMessageBytes) return close("message too large");
    if (!piece.last) {
      pieces.set(piece.id, parts);
      return;
    }
    pieces.delete(piece.id);
    const whole = parts.join("");
    piecesLength -= whole.length;
    receive(whole);
  }

  function beat(): void {
    const silence = Date.now() - heardAt;
    if (silence > (options.heartbeatMs ?? 0) * (LIMITS.heartbeatsMissed + 0.5)) return close("no heartbeat");
    send({t: "beat"});
  }

  function close(reason: string): void {
    if (closed) return;
    closed = true;
    clearInterval(heart);
    for (const controller of running.values()) controller.abort();
    const lost = new SubletError("command_lost", `the connection ended (${reason}) before the answer came`, {
      details: {reason},
    });
    for (const request of [...pending.values()]) request.settle({error: lost.toWire()});
    transport.close(reason);
    options.onClose?.(reason);
  }
}

function parse(text: string): Message | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return isMessage(value) ? value : null;
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== "object" || value === null || !("t" in value)) return false;
  const message = value as Record<string, unknown>;
  if (message.t === "beat") return true;
  if (message.t === "event") return typeof message.name === "string";
  if (typeof message.id !== "number" || !Number.isSafeInteger(message.id)) return false;
  if (message.t === "req") return typeof message.method === "string";
  if (message.t === "res") return message.error === undefined || isWireError(message.error);
  if (message.t === "piece") return typeof message.last === "boolean" && typeof message.data === "string";
  return message.t === "cancel";
}

const isWireError = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "code" in value &&
  "message" in value &&
  typeof value.message === "string";
