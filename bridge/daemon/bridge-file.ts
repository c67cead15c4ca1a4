// bridge.json: which bridge ran last, and on which port. The port is tried first at the next start, since the
// extensions know it.
import {join} from "node:path";
import {z} from "zod";
import {SubletError} from "../../shared/errors.ts";
import {readPrivate, writePrivate} from "./state-file.ts";

const bridgeFileSchema = z.object({pid: z.int(), port: z.int().min(1).max(65_535), version: z.string()});
export type BridgeFile = z.infer<typeof bridgeFileSchema>;

const pathIn = (state: string): string => join(state, "bridge.json");

export const writeBridgeFile = (state: string, facts: BridgeFile): Promise<void> =>
  writePrivate(pathIn(state), `${JSON.stringify(facts)}\n`);

/** Null when there is none. It holds nothing worth stopping for, so a damaged one counts as none. */
export function readBridgeFile(state: string): BridgeFile | null {
  try {
    const text = readPrivate(pathIn(state));
    return text === null ? null : bridgeFileSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SubletError) throw error;
    return null;
  }
}
