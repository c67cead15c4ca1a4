// The bridge's log: who came and went, what ran and how it ended. Never inputs, page text, keys or tokens.
import {closeSync, constants, fstatSync, openSync, renameSync} from "node:fs";
import {join} from "node:path";
import {pino} from "pino";
import {LIMITS} from "../../shared/limits.ts";

export type Log = ReturnType<typeof openLog>;

/** Opens `<state>/bridge.log`, 0600; a long one is put aside first. */
export function openLog(state: string) {
  const path = join(state, "bridge.log");
  let descriptor = openAppending(path);
  if (fstatSync(descriptor).size > LIMITS.bridgeLogBytes) {
    closeSync(descriptor);
    renameSync(path, `${path}.1`);
    descriptor = openAppending(path);
  }
  return pino(
    {base: {pid: process.pid}, timestamp: pino.stdTimeFunctions.isoTime},
    pino.destination({fd: descriptor, sync: true}),
  );
}

function openAppending(path: string): number {
  const flags = constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);
  return openSync(path, flags, 0o600);
}
