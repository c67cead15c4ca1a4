// Which session a command works in: the one named by --session or SUBLET_SESSION, else one a shell. Its token is kept
// in a private file, so that the next command of the same shell goes on where this one stopped (contract 2.9, rule 5).
import {execFileSync} from "node:child_process";
import {createHash} from "node:crypto";
import {readFileSync} from "node:fs";
import {rm} from "node:fs/promises";
import {join} from "node:path";
import {z} from "zod";
import {readPrivate, writePrivate} from "../daemon/state-file.ts";
import {ensurePrivateFolder, home} from "../home.ts";

const storedSchema = z.object({session: z.string().min(1), token: z.string().min(1)});
export type StoredSession = z.infer<typeof storedSchema>;

export interface SessionChoice {
  /** Shown to the person. */
  readonly name: string;
  /** A session and its token given outright; nothing is stored for it. */
  readonly resume?: StoredSession;
}

/**
 * @param named What --session said.
 * @param given SUBLET_SESSION: a name, or name:token.
 */
export function chooseSession(named: string | undefined, given: string | undefined): SessionChoice {
  if (named !== undefined) return {name: named};
  if (given === undefined || given === "") return {name: shellName(process.ppid)};
  const colon = given.lastIndexOf(":");
  if (colon <= 0 || colon === given.length - 1) return {name: given};
  const session = given.slice(0, colon);
  return {name: session, resume: {session, token: given.slice(colon + 1)}};
}

/** What is stored of a session, or null. A file of another shape is as good as none: a new session is begun. */
export function readSession(name: string): StoredSession | null {
  const text = readPrivate(fileOf(name));
  if (text === null) return null;
  try {
    return storedSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export async function keepSession(name: string, stored: StoredSession): Promise<void> {
  ensurePrivateFolder(home().state);
  ensurePrivateFolder(folder());
  await writePrivate(fileOf(name), JSON.stringify(stored));
}

export async function forgetSession(name: string): Promise<void> {
  await rm(fileOf(name), {force: true});
}

const folder = (): string => join(home().state, "shells");

/** A name may hold anything, a file name may not. */
const fileOf = (name: string): string =>
  join(folder(), `${createHash("sha256").update(name).digest("hex").slice(0, 32)}.json`);

/** The shell is its process and the time that it started: a process id alone comes back after a while. */
function shellName(pid: number): string {
  return `shell ${pid} ${createHash("sha256").update(startTimeOf(pid)).digest("hex").slice(0, 6)}`;
}

function startTimeOf(pid: number): string {
  if (process.platform === "linux") return linuxStartTime(pid);
  if (process.platform === "win32") return "";
  return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {encoding: "utf8"}).trim();
}

/** The 22nd field of /proc/<pid>/stat. The second is a name in brackets that may hold spaces and brackets itself. */
function linuxStartTime(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
