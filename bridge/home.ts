// Where everything of ours lies on this machine, and that it is ours alone. SUBLET_HOME moves every folder at once.
import {createHash} from "node:crypto";
import {lstatSync, mkdirSync, type Stats} from "node:fs";
import {homedir} from "node:os";
import {join, resolve} from "node:path";
import {SubletError} from "../shared/errors.ts";

export interface Home {
  /** keys.json, sessions.json, bridge.json, bridge.log. */
  state: string;
  /** The sockets of the running bridge. */
  run: string;
  config: string;
  /** One folder a session, with what it made: screenshots, PDFs, downloads. */
  artifacts: string;
  /** The throw-away profiles of `launch`. */
  profiles: string;
  /** What agents connect to: a Unix socket's path, or a named pipe on Windows. */
  socket: string;
}

/** The longest path a Unix socket may have, in bytes, on every system we run on (macOS has the shortest). */
const socketPathMax = 103;

/**
 * The folders, as the environment has them now. Nothing is made here.
 * @throws SubletError command_failed when the socket's path would be too long for the system.
 */
export function home(env: NodeJS.ProcessEnv = process.env): Home {
  const folders = env.SUBLET_HOME ? under(resolve(env.SUBLET_HOME)) : ofUser(env);
  const socket = process.platform === "win32" ? pipeName(folders.state) : join(folders.run, "bridge.sock");
  const longest = Buffer.byteLength(`${socket}.${"9".repeat(12)}`);
  if (process.platform !== "win32" && longest > socketPathMax) {
    const message = `${folders.run} is too long a path for a socket (${longest} bytes, at most ${socketPathMax}); set SUBLET_HOME to a shorter folder`;
    throw new SubletError("command_failed", message, {details: {fix: "set SUBLET_HOME to a shorter folder"}});
  }
  return {...folders, socket};
}

const under = (root: string) => ({
  state: join(root, "state"),
  run: join(root, "run"),
  config: join(root, "config"),
  artifacts: join(root, "artifacts"),
  profiles: join(root, "profiles"),
});

/**
 * The sockets lie in the state folder and not in XDG_RUNTIME_DIR: an agent started from a desktop, from cron or over
 * ssh does not see the same XDG_RUNTIME_DIR, and would start a second bridge.
 */
function ofUser(env: NodeJS.ProcessEnv) {
  const state = join(env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "sublet");
  const data = join(env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "sublet");
  return {
    state,
    run: join(state, "run"),
    config: join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "sublet"),
    artifacts: join(data, "artifacts"),
    profiles: join(data, "profiles"),
  };
}

const pipeName = (state: string): string =>
  `\\\\.\\pipe\\sublet-${createHash("sha256").update(state).digest("hex").slice(0, 16)}`;

/**
 * Makes a folder that is private to this user, or makes sure that the one there is. What is wrong is never mended in
 * silence: another user may have put it there.
 * @throws SubletError command_failed with the command that mends it in `details.fix`.
 */
export function ensurePrivateFolder(path: string): void {
  if (factsOf(path) === null) mkdirSync(path, {recursive: true, mode: 0o700});
  const wrong = wrongWithFolder(path);
  if (wrong !== null)
    throw new SubletError("command_failed", `${wrong.found}; run: ${wrong.fix}`, {
      details: {fix: wrong.fix, path},
    });
}

/** What keeps a folder from being private to this user, with the command that mends it; null when nothing does. */
export function wrongWithFolder(path: string): {found: string; fix: string} | null {
  const facts = factsOf(path);
  if (facts === null) return {found: `${path} is missing`, fix: `mkdir -m 700 -p ${quoted(path)}`};
  if (!facts.isDirectory())
    return {found: `${path} is not a folder`, fix: `mv ${quoted(path)} ${quoted(`${path}.moved`)}`};
  if (process.getuid === undefined) return null;
  if (facts.uid !== process.getuid()) {
    return {
      found: `${path} belongs to user ${facts.uid}, not to you`,
      fix: `sudo chown -R ${process.getuid()} ${quoted(path)}`,
    };
  }
  if ((facts.mode & 0o077) === 0) return null;
  return {found: `${path} is open to others (mode ${modeOf(facts)})`, fix: `chmod 700 ${quoted(path)}`};
}

export const modeOf = (facts: Stats): string => `0${(facts.mode & 0o777).toString(8)}`;

/** For a command that a person copies into a shell. */
export const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

const factsOf = (path: string): Stats | null => lstatSync(path, {throwIfNoEntry: false}) ?? null;
