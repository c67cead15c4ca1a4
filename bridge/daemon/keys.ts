// The keys that the bridge shares with the extensions of this user's browsers, one an installation.
import {randomBytes, randomUUID} from "node:crypto";
import {join} from "node:path";
import {z} from "zod";
import {openStateFile} from "./state-file.ts";

const keySchema = z.object({
  install_id: z.string(),
  /** 32 bytes, base64. */
  key: z.string(),
  label: z.string(),
  /** launched: for one throw-away browser, forgotten when it ends. */
  kind: z.enum(["launched", "paired"]),
  seen_at_ms: z.number(),
});
export type Key = z.infer<typeof keySchema>;

const fileSchema = z.object({bridge_id: z.string(), keys: z.array(keySchema)});

/** A launched browser that nobody has seen for so long was not ended by its launch. */
const launchedKeptMs = 30 * 24 * 60 * 60_000;
/** A launched browser seen within this time may still run, although the bridge was restarted. */
const launchedExpectedMs = 24 * 60 * 60_000;

export interface Keys {
  readonly bridgeId: string;
  of(installId: string): Key | undefined;
  /** Makes a key for a browser that launch is about to start. */
  enrol(label: string): Promise<Key>;
  forget(installId: string): Promise<void>;
  /** Notes that the browser is there, or was until now. */
  seen(installId: string): void;
  /** Browsers that may connect by themselves soon. */
  expected(): Key[];
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>;
}

/** @throws SubletError when keys.json is damaged or not private. */
export async function openKeys(state: string, now: () => number = Date.now): Promise<Keys> {
  const file = openStateFile(join(state, "keys.json"), fileSchema, {bridge_id: randomUUID(), keys: []});
  const {value} = file;
  const kept = value.keys.filter((key) => key.kind === "paired" || now() - key.seen_at_ms < launchedKeptMs);
  value.keys = kept;
  await file.save();

  return {
    bridgeId: value.bridge_id,
    of: (installId) => value.keys.find((key) => key.install_id === installId),
    async enrol(label) {
      const key: Key = {
        install_id: randomUUID(),
        key: randomBytes(32).toString("base64"),
        label,
        kind: "launched",
        seen_at_ms: now(),
      };
      value.keys.push(key);
      await file.save();
      return key;
    },
    async forget(installId) {
      value.keys = value.keys.filter((key) => key.install_id !== installId);
      await file.save();
    },
    seen(installId) {
      const key = value.keys.find((candidate) => candidate.install_id === installId);
      if (key === undefined) return;
      key.seen_at_ms = now();
      // Only a hint for the next start: a full disk must not end the bridge over it.
      file.save().catch(() => undefined);
    },
    expected: () =>
      value.keys.filter((key) => key.kind === "paired" || now() - key.seen_at_ms < launchedExpectedMs),
    settled: file.settled,
  };
}
