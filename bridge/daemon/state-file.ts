// Files that hold secrets or promises: readable by this user alone, replaced whole or not at all.
// write-file-atomic does not serve here: it follows links and opens its temporary file without O_EXCL.
import {randomBytes} from "node:crypto";
import {closeSync, constants, fstatSync, openSync, readFileSync} from "node:fs";
import {open, rename, rm} from "node:fs/promises";
import {dirname} from "node:path";
import type {z} from "zod";
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import {modeOf, quoted} from "../home.ts";

export interface StateFile<Value> {
  /** Change it in place, then save. */
  readonly value: Value;
  /** Resolves once everything in `value` at the time of the call is on the disk. */
  save(): Promise<void>;
  /** Resolves when nothing is being written any more, well or not. */
  settled(): Promise<void>;
}

/**
 * Opens a state file; `empty` when there is none.
 * @throws SubletError command_failed when it is not private, not ours or not readable, with the command that mends it.
 */
export function openStateFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  empty: z.output<Schema>,
): StateFile<z.output<Schema>> {
  const text = readPrivate(path);
  const value = text === null ? empty : parse(path, schema, text);
  let writing: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  return {value, save, settled};

  /** One write at a time; calls made while one runs share the next. */
  function save(): Promise<void> {
    waiting ??= writing
      .catch(() => undefined)
      .then(() => {
        waiting = null;
        writing = writePrivate(path, `${JSON.stringify(value, null, 2)}\n`);
        return writing;
      });
    return waiting;
  }

  async function settled(): Promise<void> {
    await (waiting ?? writing).catch(() => undefined);
  }
}

/** Writes beside and renames: a reader sees the old file or the new one, and so does a machine that lost its power. */
export async function writePrivate(path: string, content: string | Uint8Array): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await createPrivate(beside, content, true);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, {force: true});
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes a new file, 0600. An existing one, or a link in its place, is an error. */
export async function createPrivate(path: string, content: string | Uint8Array, sync = false): Promise<void> {
  const flags = constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0) | constants.O_WRONLY;
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(content);
    if (sync) await file.sync();
  } finally {
    await file.close();
  }
}

/** The text of a private file, or null when there is none. A link, a FIFO, a shared or a foreign file is an error. */
export function readPrivate(path: string): string | null {
  const descriptor = openForReading(path);
  if (descriptor === null) return null;
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile() || facts.nlink !== 1)
      throw unfit(path, "is not a plain file", `mv ${quoted(path)} ${quoted(`${path}.moved`)}`);
    if (process.getuid !== undefined && facts.uid !== process.getuid()) {
      throw unfit(
        path,
        `belongs to user ${facts.uid}, not to you`,
        `mv ${quoted(path)} ${quoted(`${path}.moved`)}`,
      );
    }
    if (process.getuid !== undefined && (facts.mode & 0o077) !== 0) {
      throw unfit(path, `is open to others (mode ${modeOf(facts)})`, `chmod 600 ${quoted(path)}`);
    }
    if (facts.size > LIMITS.stateFileBytes) throw damaged(path, "is far too large");
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

function openForReading(path: string): number | null {
  try {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return null;
    if (code === "ELOOP") throw unfit(path, "is a link", `mv ${quoted(path)} ${quoted(`${path}.moved`)}`);
    throw error;
  }
}

/** A damaged file is never replaced in silence: keys and counters would be lost with it. */
function parse<Schema extends z.ZodType>(path: string, schema: Schema, text: string): z.output<Schema> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw damaged(path, "is damaged");
  }
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw damaged(path, "is damaged");
  return parsed.data;
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const damaged = (path: string, what: string): SubletError =>
  unfit(path, what, `mv ${quoted(path)} ${quoted(`${path}.damaged`)}`);

const unfit = (path: string, what: string, fix: string): SubletError =>
  new SubletError("command_failed", `${path} ${what}; run: ${fix}`, {details: {fix, path}});

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
