// `sublet daemon`: becomes the one bridge of this user, or ends at once when there is one.
import {createServer} from "node:http";
import {SubletError} from "../../shared/errors.ts";
import {ensurePrivateFolder, home} from "../home.ts";
import {systemClock} from "./clock.ts";
import {type Daemon, startDaemon} from "./daemon.ts";
import {takeOffice} from "./election.ts";
import {type Log, openLog} from "./log.ts";

/** What a process ends with whose configuration is wrong (EX_CONFIG of sysexits). */
const configExit = 78;

/**
 * Serves until it is asked to end or nobody needs it. Ends the process itself: with 0 when another bridge runs, with
 * 78 and the mending command on standard error when a folder or file of ours is not as it must be.
 */
export async function runDaemon(): Promise<void> {
  process.umask(0o077);
  // Whoever started us reads standard error only until we run.
  process.stderr.on("error", () => undefined);
  try {
    await serve();
  } catch (thrown) {
    const error = SubletError.from(thrown);
    process.stderr.write(`${error.message}\n`);
    process.exit(error.data.details?.fix === undefined ? 1 : configExit);
  }
}

async function serve(): Promise<void> {
  const where = home();
  for (const folder of [where.state, where.run, where.artifacts]) ensurePrivateFolder(folder);
  const http = createServer({headersTimeout: 5_000});
  // Agents may knock before the rest stands; they wait, and are served in order.
  const held: unknown[][] = [];
  const hold = (...request: unknown[]) => void held.push(request);
  http.on("upgrade", hold);
  let log: Log | null = null;
  let daemon: Daemon | null = null;
  // From before anyone can know of us, so that no signal finds us unprepared.
  process.once("SIGTERM", () => end("SIGTERM"));
  process.once("SIGINT", () => end("SIGINT"));
  process.once("uncaughtException", (error) => {
    log?.fatal({error: String(error)}, "ended by a failure of its own");
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
  if (!(await takeOffice(http, where))) process.exit(0);

  log = openLog(where.state);
  daemon = await startDaemon({home: where, http, clock: systemClock, log, onEnd: end});
  http.off("upgrade", hold);
  for (const request of held) http.emit("upgrade", ...request);

  function end(why: string): void {
    log?.info({why}, "ended");
    if (daemon === null) process.exit(0);
    void daemon.stop();
    http.close();
    // The process ends when the last socket has closed; one that does not close is not waited for.
    setTimeout(() => process.exit(0), 2_000).unref();
  }
}
