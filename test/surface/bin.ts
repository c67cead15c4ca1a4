// The built bin, run as a person or a client runs it: `npm run build` comes first.
import {type ChildProcess, spawn} from "node:child_process";
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {connect} from "../../bridge/client/connect.ts";
import {root} from "../contract/sources.ts";

export const bin = join(root, "dist", "bridge", "main.js");

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** Runs `sublet` with these words until it ends. */
export async function sublet(argv: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(process.execPath, [bin, ...argv], {
    env: {...clean(), ...env},
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = {out: "", err: ""};
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.err += text;
  });
  return {code: await exitOf(child), ...said};
}

export const exitOf = (child: ChildProcess): Promise<number | null> =>
  child.exitCode === null
    ? new Promise((resolve) => {
        child.once("close", resolve);
      })
    : Promise.resolve(child.exitCode);

/** The environment without what the person running the tests may have set for their own Sublet. */
export function clean(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    ([name]) => name === "SUBLET_HOME" || !name.startsWith("SUBLET_"),
  );
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** A home without a bridge; whatever started one in it, it ends with the test. */
export async function scratchHome(): Promise<AsyncDisposable & {path: string}> {
  const path = await mkdtemp(join(tmpdir(), "sublet-"));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await sublet(["stop"], {SUBLET_HOME: path});
      await rm(path, {recursive: true, force: true, maxRetries: 5});
    },
  };
}

/** The sessions of the bridge in SUBLET_HOME, by name. */
export async function sessionsNow(): Promise<string[]> {
  const connection = await connect({session: "none", start: false});
  const {sessions} = await connection.status();
  await connection.close();
  return sessions.map(({name}) => name);
}
