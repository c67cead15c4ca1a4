// The extension's half of the handshake (security 4.1): nothing but a nonce is said before the bridge has proven that
// it holds the key.
import {
  type Challenge,
  challengeSchema,
  type Hello,
  PROTOCOL_VERSION,
  readySchema,
  type TranscriptFacts,
  transcript,
} from "../../shared/protocol.ts";
import type {Pairing} from "./pairing.ts";

export interface HandshakeWire {
  send(message: unknown): void;
  /** The next message, parsed from JSON; rejects when the socket closes first. */
  next(): Promise<unknown>;
}

/** Resolves with the bridge's version when both sides have proven themselves; rejects otherwise. */
export async function shakeHands(wire: HandshakeWire, pairing: Pairing, epoch: string): Promise<string> {
  const hello: Hello = {
    t: "hello",
    versions: [PROTOCOL_VERSION, PROTOCOL_VERSION],
    install_id: pairing.install_id,
    epoch,
    extension_version: chrome.runtime.getManifest().version,
    nonce: toBase64(crypto.getRandomValues(new Uint8Array(32))),
  };
  wire.send(hello);
  const challenge = challengeSchema.parse(await wire.next());
  const facts = factsOf(pairing, hello, challenge);
  const proven = await crypto.subtle.verify(
    "HMAC",
    pairing.key,
    fromBase64(challenge.mac),
    bytesOf(transcript("bridge", facts)),
  );
  if (!proven || challenge.bridge_id !== pairing.bridge_id)
    throw new Error("the bridge does not hold this profile's key");
  const mac = toBase64(
    new Uint8Array(await crypto.subtle.sign("HMAC", pairing.key, bytesOf(transcript("extension", facts)))),
  );
  wire.send({t: "proof", mac, browser: {name: pairing.label, product: product()}});
  readySchema.parse(await wire.next());
  return challenge.bridge_version;
}

const factsOf = (pairing: Pairing, hello: Hello, challenge: Challenge): TranscriptFacts => ({
  port: pairing.port,
  origin: `chrome-extension://${chrome.runtime.id}`,
  hello,
  version: challenge.version,
  bridge_id: challenge.bridge_id,
  bridge_nonce: challenge.nonce,
});

function product(): string {
  const match = /(?:Edg|OPR|Vivaldi|Chrome)\/[\d.]+/.exec(navigator.userAgent);
  return match?.[0] ?? "Chromium";
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
