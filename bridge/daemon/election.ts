// One bridge a user: the mutex (security 4.1). Whoever serves holds a listening socket `bridge-<n>.sock`, made by
// linking an already listening one to a name that must not exist yet; n only goes up, and `bridge.sock`, which agents
// connect to, is a link to the highest. No name is ever taken over, so there is no moment at which a second bridge
// could remove the first one's socket: it can only see that the highest does not answer, and make the next.
import {linkSync, readdirSync, renameSync, rmSync, symlinkSync} from "node:fs";
import type {Server} from "node:http";
import {connect} from "node:net";
import {join} from "node:path";
import type {Home} from "../home.ts";
import {codeOf} from "./state-file.ts";

/**
 * Makes `http` the one that listens for agents; resolves with false when another bridge answers already.
 * Requests may come as soon as this is called. The socket's name stays behind when its bridge ends: the next one
 * finds that nobody answers there, and counts on from it.
 */
export async function takeOffice(http: Server, home: Home): Promise<boolean> {
  if (await answers(home.socket)) return false;
  if (process.platform === "win32") return listen(http, home.socket);
  const own = join(home.run, `bridge.${process.pid}.sock`);
  rmSync(own, {force: true});
  await listen(http, own);
  const number = await election(home.run, own);
  rmSync(own, {force: true});
  if (number === null) return false;
  pointTo(home, number);
  for (const below of numbersIn(home.run))
    if (below < number) rmSync(join(home.run, nameOf(below)), {force: true});
  return true;
}

/** The number of the place that `own` has got, or null when another holds it. */
async function election(run: string, own: string): Promise<number | null> {
  for (;;) {
    const highest = highestIn(run);
    if (highest > 0 && (await answers(join(run, nameOf(highest))))) return null;
    const number = highest + 1;
    if (!linked(own, join(run, nameOf(number)))) continue;
    // Someone slower than us may still have seen an older state: whoever has the highest number stays.
    if (highestIn(run) === number) return number;
    rmSync(join(run, nameOf(number)), {force: true});
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

const highestIn = (run: string): number => Math.max(0, ...numbersIn(run));

const numbersIn = (run: string): number[] =>
  readdirSync(run).flatMap((name) => {
    const match = /^bridge-(\d+)\.sock$/.exec(name);
    return match === null ? [] : [Number(match[1])];
  });

function pointTo(home: Home, number: number): void {
  const beside = `${home.socket}.${process.pid}`;
  rmSync(beside, {force: true});
  symlinkSync(nameOf(number), beside);
  renameSync(beside, home.socket);
}

const nameOf = (number: number): string => `bridge-${number}.sock`;

/** Whether someone listens there. Only a refusal, or nothing there at all, counts as a no. */
export function answers(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error) => {
      const code = codeOf(error);
      if (code === "ECONNREFUSED" || code === "ENOENT") resolve(false);
      // A full queue is a living bridge with much to do.
      else if (code === "EAGAIN") resolve(true);
      // It was there when we knocked and ended before it opened: what counts is what is there now.
      else if (code === "ECONNRESET") resolve(answers(path));
      else reject(error);
    });
  });
}

function listen(http: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    http.once("error", (error) => {
      if (codeOf(error) === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    http.listen(path, () => resolve(true));
  });
}
