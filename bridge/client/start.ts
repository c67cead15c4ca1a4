// Starts the bridge when none answers, and waits for it: for its socket to appear, or for its process to say why not.
import {type ChildProcess, spawn} from "node:child_process";
import {type FSWatcher, watch} from "node:fs";
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import {answers} from "../daemon/election.ts";
import {ensurePrivateFolder, type Home} from "../home.ts";
import {daemonCommand} from "./entry.ts";

/**
 * Resolves when a bridge answers on the home's socket.
 * @throws SubletError command_failed with what the bridge itself said, when it does not start.
 */
export async function startBridge(home: Home): Promise<void> {
  for (const folder of [home.state, home.run]) ensurePrivateFolder(folder);
  const {file, args} = daemonCommand();
  let looking = false;
  let changedMeanwhile = false;
  let settle = {resolve: () => {}, reject: (_: SubletError) => {}};
  const ready = new Promise<void>((resolve, reject) => {
    settle = {resolve, reject};
  });
  // Watched before the start, so that no change is missed; each change is one try to connect. A pipe of Windows is in
  // no folder, but bridge.json is written once it answers.
  const watcher: FSWatcher = watch(process.platform === "win32" ? home.state : home.run, () => void look());
  // The net, for file systems that report no changes.
  const net = setInterval(() => void look(), LIMITS.retryPollMs);
  const child = spawn(file, args, {detached: true, stdio: ["ignore", "ignore", "pipe"], windowsHide: true});
  const said = wordsOf(child);
  child.once("error", (error) => settle.reject(couldNotStart(error.message)));
  child.once("exit", (code) => {
    // 0: another bridge was there first, and its socket answers or will in a moment.
    if (code !== 0)
      settle.reject(couldNotStart(said().trim() || `its process ended with ${code ?? "a signal"}`));
    else void look();
  });
  const timer = setTimeout(
    () => settle.reject(couldNotStart(`no answer within ${LIMITS.daemonStartMs} ms`)),
    LIMITS.daemonStartMs,
  );
  void look();

  try {
    await ready;
  } finally {
    clearTimeout(timer);
    clearInterval(net);
    watcher.close();
    child.removeAllListeners();
    child.stderr?.destroy();
    child.unref();
  }

  async function look(): Promise<void> {
    changedMeanwhile = looking;
    if (looking) return;
    looking = true;
    try {
      if (await answers(home.socket)) settle.resolve();
    } catch (error) {
      settle.reject(couldNotStart(String(error)));
    } finally {
      looking = false;
    }
    if (changedMeanwhile) await look();
  }
}

function wordsOf(child: ChildProcess): () => string {
  let words = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    words += chunk;
  });
  return () => words.slice(-4_000);
}

const couldNotStart = (why: string): SubletError =>
  new SubletError("command_failed", `the Sublet bridge could not be started: ${why}`, {
    details: {cause: why},
  });
