// The key that this profile and the bridge share, and where the bridge listens. The key is kept in IndexedDB as a
// CryptoKey that cannot be exported, so that not even this extension can read it back.
import {ENROLMENT_FILE, enrolmentSchema} from "../../shared/protocol.ts";

export interface Pairing {
  install_id: string;
  bridge_id: string;
  port: number;
  label: string;
  key: CryptoKey;
  /** Made by `launch` for its own throw-away profile. */
  launched: boolean;
}

const database = "sublet";
const store = "pairing";
const only = "bridge";

/** The pairing of this profile, or null when it was never connected. */
export async function loadPairing(): Promise<Pairing | null> {
  const kept = await read();
  if (kept !== null) return kept;
  const enrolled = await enrolment();
  if (enrolled !== null) await write(enrolled);
  return enrolled;
}

/** What `launch` put beside its own copy of the extension; an installed extension has no such file. */
async function enrolment(): Promise<Pairing | null> {
  let text: string;
  try {
    const file = await fetch(chrome.runtime.getURL(ENROLMENT_FILE));
    text = await file.text();
  } catch {
    return null;
  }
  const facts = enrolmentSchema.parse(JSON.parse(text));
  const bytes = Uint8Array.from(atob(facts.key), (character) => character.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, {name: "HMAC", hash: "SHA-256"}, false, [
    "sign",
    "verify",
  ]);
  bytes.fill(0);
  return {
    install_id: facts.install_id,
    bridge_id: facts.bridge_id,
    port: facts.port,
    label: facts.label,
    key,
    launched: true,
  };
}

async function read(): Promise<Pairing | null> {
  const request = (await open()).transaction(store).objectStore(store).get(only);
  return (await settled<Pairing | undefined>(request)) ?? null;
}

async function write(pairing: Pairing): Promise<void> {
  const request = (await open()).transaction(store, "readwrite").objectStore(store).put(pairing, only);
  await settled(request);
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(store);
  return settled(request);
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
