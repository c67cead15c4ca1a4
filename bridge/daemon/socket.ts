// A WebSocket as the channel's transport, with the close codes of the protocol.
import {WebSocket} from "ws";
import {type Answerer, type Channel, createChannel} from "../../shared/channel.ts";
import {LIMITS} from "../../shared/limits.ts";
import {closeCodes} from "../../shared/protocol.ts";

export interface SocketChannelOptions {
  answer: Answerer;
  onEvent?: (name: string, params: unknown) => void;
  onClose?: (reason: string) => void;
  heartbeatMs?: number;
}

/** How both sides of either socket are set up: no compression, small frames, few fragments. */
export const socketOptions = {
  perMessageDeflate: false,
  maxPayload: LIMITS.maxFrameBytes,
  maxFragments: LIMITS.maxFragments,
  maxBufferedChunks: 4096,
  closeTimeout: 2_000,
} as const;

/** Carries a channel over an open socket. The channel ends with the socket, and the socket with the channel. */
export function channelOver(socket: WebSocket, options: SocketChannelOptions): Channel {
  const channel = createChannel({
    ...options,
    transport: {
      post(text) {
        // A peer that does not read is at its end; what waits for it must not fill our memory.
        if (socket.bufferedAmount > LIMITS.maxMessageBytes) throw new Error("the other side does not read");
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      close: (reason) => socket.close(codeFor(reason)),
    },
  });
  socket.on("message", (data, isBinary) => {
    if (isBinary) channel.close("malformed message");
    else channel.receive(String(data));
  });
  socket.on("close", () => channel.close("the other side is gone"));
  return channel;
}

export const closeReasons = {replaced: "replaced", shuttingDown: "shutting down"} as const;

function codeFor(reason: string): number {
  if (reason === closeReasons.replaced) return closeCodes.replaced;
  if (reason === closeReasons.shuttingDown) return closeCodes.shuttingDown;
  if (reason === "malformed message") return closeCodes.badFrame;
  if (reason === "message too large") return closeCodes.tooBig;
  if (reason === "no heartbeat") return closeCodes.timeout;
  return 1000;
}
