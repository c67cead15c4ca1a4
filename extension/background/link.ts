// The socket to the bridge: opened by the worker, proven both ways, kept alive by application heartbeats, opened
// again when it is lost. When the bridge stays away, every lease is given back.
import {type Channel, createChannel} from "../../shared/channel.ts";
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import {
  EXTENSION_PATH,
  type ExtensionState,
  extensionMethods,
  openParamsSchema,
} from "../../shared/protocol.ts";
import {dispatch} from "./dispatch.ts";
import {release} from "./ending.ts";
import {type HandshakeWire, shakeHands} from "./handshake.ts";
import {allLeases} from "./leases.ts";
import {loadPairing, type Pairing} from "./pairing.ts";
import {isStopped} from "./stop.ts";

export interface LinkState {
  connection: "connected" | "connecting" | "unpaired";
  bridge_version: string | null;
}

let state: LinkState = {connection: "connecting", bridge_version: null};
let channel: Channel | null = null;
let connecting = false;
let retryMs: number = LIMITS.reconnectFirstMs;
let goneSince: number | null = null;
const listeners = new Set<() => void>();

export const linkState = (): LinkState => state;

export const onLinkChange = (listener: () => void): void => void listeners.add(listener);

/** Connects unless it is connected or connecting already. Called at start, by a timer, and by an alarm as the net. */
export async function connectBridge(epoch: string): Promise<void> {
  if (channel !== null || connecting) return;
  connecting = true;
  try {
    const pairing = await loadPairing();
    if (pairing === null) return setState({connection: "unpaired", bridge_version: null});
    await open(pairing, epoch);
    retryMs = LIMITS.reconnectFirstMs;
    goneSince = null;
  } catch {
    setState({connection: "connecting", bridge_version: null});
    lost(epoch);
  } finally {
    connecting = false;
  }
}

/** Tells the bridge what it must know to stay alive while a lease lives. */
export function reportState(): void {
  const facts: ExtensionState = {
    leases: allLeases().filter((lease) => lease.state === "active").length,
    stopped: isStopped(),
  };
  channel?.emit("state", facts);
}

/** Gives every lease back when the bridge has been gone too long (security 4.6). */
export async function releaseIfAbandoned(): Promise<void> {
  if (channel !== null || goneSince === null || Date.now() - goneSince < LIMITS.bridgeGoneMs) return;
  await Promise.all(allLeases().map((lease) => release(lease, "bridge_gone")));
}

async function open(pairing: Pairing, epoch: string): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${pairing.port}${EXTENSION_PATH}`);
  const wire = wireOf(socket);
  await wire.opened;
  const bridgeVersion = await shakeHands(wire, pairing, epoch).catch((error: unknown) => {
    socket.close();
    throw error;
  });
  const opened = createChannel({
    transport: {post: (text) => socket.send(text), close: () => socket.close()},
    answer: (method, params, {signal}) => answer(pairing, method, params, signal),
    heartbeatMs: LIMITS.heartbeatMs,
    onClose: () => {
      channel = null;
      setState({connection: "connecting", bridge_version: null});
      lost(epoch);
    },
  });
  wire.handOver(
    (text) => opened.receive(text),
    (reason) => opened.close(reason),
  );
  channel = opened;
  setState({connection: "connected", bridge_version: bridgeVersion});
  reportState();
}

async function answer(
  pairing: Pairing,
  method: string,
  params: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (method === extensionMethods.run) return dispatch(params, signal);
  if (method === extensionMethods.open) return openForPerson(pairing, params);
  throw new SubletError("unknown_operation", `the extension does not answer ${method}`);
}

/** Only a browser that launch started takes tabs to open from the bridge: nobody's own profile does. */
async function openForPerson(pairing: Pairing, params: unknown): Promise<null> {
  if (!pairing.launched)
    throw new SubletError("operation_not_allowed", "this profile was not made by launch");
  for (const url of openParamsSchema.parse(params).urls) await chrome.tabs.create({url, active: false});
  return null;
}

function lost(epoch: string): void {
  goneSince ??= Date.now();
  const waitMs = retryMs * (0.75 + Math.random() / 2);
  retryMs = Math.min(retryMs * 2, LIMITS.reconnectLastMs);
  setTimeout(() => void connectBridge(epoch), waitMs);
  setTimeout(() => void releaseIfAbandoned(), LIMITS.bridgeGoneMs + 100);
}

function setState(next: LinkState): void {
  state = next;
  for (const listener of listeners) listener();
}

interface OpenWire extends HandshakeWire {
  opened: Promise<void>;
  handOver(receive: (text: string) => void, closed: (reason: string) => void): void;
}

/** The socket as the handshake reads it, message by message, and then as the channel does. */
function wireOf(socket: WebSocket): OpenWire {
  const waiting: {resolve(text: string): void; reject(error: Error): void}[] = [];
  const early: string[] = [];
  let receive = (text: string): void => {
    const next = waiting.shift();
    if (next === undefined) early.push(text);
    else next.resolve(text);
  };
  let closed = (reason: string): void => {
    for (const next of waiting) next.reject(new Error(reason));
  };
  socket.onmessage = (event) => receive(String(event.data));
  socket.onclose = (event) => closed(`closed ${event.code}`);
  return {
    opened: new Promise((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error("no bridge answers"));
    }),
    send: (message) => socket.send(JSON.stringify(message)),
    async next() {
      const text =
        early.shift() ?? (await new Promise<string>((resolve, reject) => waiting.push({resolve, reject})));
      return JSON.parse(text);
    },
    handOver(toChannel, onClosed) {
      receive = toChannel;
      closed = onClosed;
      for (const text of early.splice(0)) toChannel(text);
      if (socket.readyState >= WebSocket.CLOSING) onClosed("closed");
    },
  };
}
