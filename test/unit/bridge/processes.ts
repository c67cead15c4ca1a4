// Real bridge processes, bundled from the sources of this moment as the build does it; only those started here are
// ever ended.
import {type ChildProcess, spawn} from "node:child_process";
import {mkdtempSync, rmSync, watch} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {build} from "vite";
import {onTestFinished} from "vitest";
import {connect} from "../../../bridge/client/connect.ts";
import type {Command} from "../../../bridge/client/entry.ts";
import {answers} from "../../../bridge/daemon/election.ts";
import {ensurePrivateFolder, home} from "../../../bridge/home.ts";

export interface BridgeProcess {
  child: ChildProcess;
  /** How it ended, and what it said. */
  exited: Promise<{code: number | null; signal: NodeJS.Signals | null; said: string}>;
}

let bundle: string | null = null;

/** Bundles the bin, since twenty processes that each translate the sources would take a minute. */
export async function bundleBridge(): Promise<() => void> {
  const outDir = mkdtempSync(join(tmpdir(), "sublet-bundle-"));
  await build({
    configFile: resolve("vite.bridge.ts"),
    logLevel: "error",
    build: {outDir, emptyOutDir: false},
  });
  bundle = outDir;
  return () => rmSync(outDir, {recursive: true, force: true});
}

/** Stands in for `daemonCommand` in tests that have bundled the bridge. */
export function bundledCommand(): Command {
  if (bundle === null) throw new Error("bundleBridge comes first");
  return {file: process.execPath, args: [join(bundle, "main.js"), "daemon"]};
}

/** `sublet daemon`, as a client would start it. */
export function spawnBridge(): BridgeProcess {
  const {file, args} = bundledCommand();
  const child = spawn(file, args, {stdio: ["ignore", "pipe", "pipe"]});
  let said = "";
  const listen = (chunk: string) => {
    said += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", listen);
  child.stderr.setEncoding("utf8").on("data", listen);
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = new Promise<Awaited<BridgeProcess["exited"]>>((resolve) => {
    child.once("close", (code, signal) => resolve({code, signal, said}));
  });
  return {child, exited};
}

/** The same, once it answers. */
export async function runBridge(): Promise<BridgeProcess> {
  const {state, run, socket} = home();
  for (const folder of [state, run]) ensurePrivateFolder(folder);
  const answering = new Promise<void>((resolve) => {
    const watcher = watch(run, async () => {
      if (!(await answers(socket))) return;
      watcher.close();
      resolve();
    });
  });
  const bridge = spawnBridge();
  await answering;
  return bridge;
}

/** Ends whatever bridge a client of this test has started. */
export function stopStartedBridges(): void {
  onTestFinished(async () => {
    const bridge = await connect({session: "none", start: false}).catch(() => null);
    if (bridge === null) return;
    const {pid} = await bridge.status();
    await bridge.shutdown();
    // It may still write until it is gone, and nothing tells us of the end of another's child.
    while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export async function bridgePid(): Promise<number> {
  const bridge = await connect({session: "none", start: false});
  const {pid} = await bridge.status();
  await bridge.close();
  return pid;
}
