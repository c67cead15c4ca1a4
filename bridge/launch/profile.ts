// The profiles of launched browsers: made here, marked as ours, with our copy of the extension inside.
import {existsSync, mkdirSync, readdirSync} from "node:fs";
import {cp, mkdtemp, rm} from "node:fs/promises";
import {join, resolve} from "node:path";
import {SubletError} from "../../shared/errors.ts";
import {ENROLMENT_FILE, type Enrolment} from "../../shared/protocol.ts";
import {packageRoot} from "../client/entry.ts";
import {createPrivate} from "../daemon/state-file.ts";
import {ensurePrivateFolder, home} from "../home.ts";

export interface Profile {
  folder: string;
  /** Removed when its browser ends. */
  throwAway: boolean;
}

/** Only launch writes it, so a folder that holds it is one that launch may start a browser in. */
const markFile = ".sublet-profile";

/**
 * A new throw-away profile, or the one that the caller names.
 * @throws SubletError invalid_arguments when the named folder is one that launch did not make: a person's own profile
 * is connected by the person, in the popup.
 */
export async function makeProfile(named: string | undefined): Promise<Profile> {
  if (named === undefined) {
    const {profiles} = home();
    ensurePrivateFolder(profiles);
    const folder = await mkdtemp(join(profiles, "launch-"));
    await mark(folder);
    return {folder, throwAway: true};
  }
  const folder = resolve(named);
  if (existsSync(join(folder, markFile))) return {folder, throwAway: false};
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new SubletError(
      "invalid_arguments",
      `${folder} is not a profile that launch made; give a new or empty folder, or connect that browser from the Sublet popup`,
      {details: {issues: [{path: "profile", expected: "a folder that launch made, or a new one"}]}},
    );
  }
  mkdirSync(folder, {recursive: true, mode: 0o700});
  await mark(folder);
  return {folder, throwAway: false};
}

const mark = (folder: string): Promise<void> =>
  createPrivate(join(folder, markFile), "Made by sublet launch.\n");

/**
 * Copies the built extension into the profile, with the key of this one browser beside it. Resolves with the copy's
 * folder.
 * @throws SubletError command_failed when the extension is not built.
 */
export async function placeExtension(profile: Profile, enrolment: Enrolment): Promise<string> {
  const built = join(packageRoot(), "dist", "extension");
  if (!existsSync(join(built, "manifest.json"))) {
    throw new SubletError("command_failed", `${built} holds no extension; run: npm run build`, {
      details: {fix: "npm run build"},
    });
  }
  const copy = join(profile.folder, "sublet-extension");
  await rm(copy, {recursive: true, force: true});
  await cp(built, copy, {recursive: true});
  await createPrivate(join(copy, ENROLMENT_FILE), JSON.stringify(enrolment));
  return copy;
}

/** The key has done its work once the browser has connected: it lives in the extension's own store now. */
export const removeEnrolment = (extension: string): Promise<void> =>
  rm(join(extension, ENROLMENT_FILE), {force: true});

/** A browser's last children may still write for a moment after it has ended. */
export const removeProfile = (profile: Profile): Promise<void> =>
  rm(profile.folder, {recursive: true, force: true, maxRetries: 10, retryDelay: 50});
