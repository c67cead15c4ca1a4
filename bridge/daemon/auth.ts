// The handshake with an extension (security 4.1): hello, challenge, proof, ready. The bridge proves first that it
// holds the key; the key itself never crosses the wire; nothing is told to a peer that has not proven itself.
import {createHmac, randomBytes, timingSafeEqual} from "node:crypto";
import {type RawData, WebSocket} from "ws";
import type {z} from "zod";
import {LIMITS} from "../../shared/limits.ts";
import {
  type Challenge,
  closeCodes,
  EXTENSION_ORIGIN,
  type Hello,
  helloSchema,
  PROTOCOL_VERSION,
  type Proof,
  proofSchema,
  type TranscriptFacts,
  transcript,
} from "../../shared/protocol.ts";
import {VERSION} from "../version.ts";

export interface Proven {
  hello: Hello;
  browser: Proof["browser"];
}

export interface AuthOptions {
  /** The port that the extension dialled: it is part of the proof, so that nobody can relay from another. */
  port: number;
  bridgeId: string;
  /** The shared key, base64; undefined for an installation that we do not know. */
  keyOf(installId: string): string | undefined;
}

/** Which close code a failed handshake ends with. Its reason stays empty: a stranger learns nothing. */
export interface Refused {
  refused: (typeof closeCodes)[keyof typeof closeCodes];
}

/** Runs the handshake on a fresh socket. Resolves once, and leaves no listener behind. Sends `ready` by itself. */
export async function authenticate(socket: WebSocket, options: AuthOptions): Promise<Proven | Refused> {
  const first = await nextMessage(socket, helloSchema, LIMITS.handshakeFirstMessageMs);
  if ("refused" in first) return first;
  const hello = first.message;
  const [oldest, newest] = hello.versions;
  if (oldest > newest) return {refused: closeCodes.badFrame};
  if (oldest > PROTOCOL_VERSION || newest < PROTOCOL_VERSION) return {refused: closeCodes.version};

  const facts: TranscriptFacts = {
    port: options.port,
    origin: EXTENSION_ORIGIN,
    hello,
    version: PROTOCOL_VERSION,
    bridge_id: options.bridgeId,
    bridge_nonce: randomBytes(32).toString("base64"),
  };
  const known = options.keyOf(hello.install_id);
  // An unknown installation meets the same steps, with a key that nobody holds, and so learns nothing from them.
  const key = known === undefined ? randomBytes(32) : Buffer.from(known, "base64");
  const challenge: Challenge = {
    t: "challenge",
    version: facts.version,
    bridge_id: facts.bridge_id,
    bridge_version: VERSION,
    nonce: facts.bridge_nonce,
    mac: mac(key, transcript("bridge", facts)).toString("base64"),
  };
  const answer = nextMessage(socket, proofSchema, LIMITS.handshakeProofMs);
  socket.send(JSON.stringify(challenge));
  const second = await answer;
  if ("refused" in second) return second;
  const proven = sameMac(second.message.mac, mac(key, transcript("extension", facts)));
  if (!proven || known === undefined) return {refused: closeCodes.unauthorized};
  return {hello, browser: second.message.browser};
}

const mac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text, "utf8").digest();

function sameMac(given: string, expected: Buffer): boolean {
  const bytes = Buffer.from(given, "base64");
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** The socket's next message, if it is small, in time, text and of the schema. */
function nextMessage<Schema extends z.ZodType>(
  socket: WebSocket,
  schema: Schema,
  timeoutMs: number,
): Promise<{message: z.output<Schema>} | Refused> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish({refused: closeCodes.timeout}), timeoutMs);
    const onClose = () => finish({refused: closeCodes.badFrame});
    const onMessage = (data: RawData, isBinary: boolean) =>
      finish(isBinary ? {refused: closeCodes.badFrame} : read(data, schema));
    const finish = (outcome: {message: z.output<Schema>} | Refused) => {
      clearTimeout(timer);
      socket.off("message", onMessage);
      socket.off("close", onClose);
      resolve(outcome);
    };
    socket.on("message", onMessage);
    socket.on("close", onClose);
    if (socket.readyState !== WebSocket.OPEN) onClose();
  });
}

function read<Schema extends z.ZodType>(
  data: RawData,
  schema: Schema,
): {message: z.output<Schema>} | Refused {
  const text = String(data);
  if (Buffer.byteLength(text) > LIMITS.handshakeMaxBytes) return {refused: closeCodes.tooBig};
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return {refused: closeCodes.badFrame};
  }
  const parsed = schema.safeParse(raw);
  return parsed.success ? {message: parsed.data} : {refused: closeCodes.badFrame};
}
