// Starts a browser with the extension in it, in a profile of its own (security 4.1): no debugging port, nothing to
// copy. Its one-time key lies beside the extension's copy until the extension has called in.
import {type ChildProcess, spawn} from "node:child_process";
import {basename} from "node:path";
import {SubletError} from "../../shared/errors.ts";
import {type Connection, connect} from "../client/connect.ts";
import {type FoundBrowser, findBrowser} from "./browsers.ts";
import {makeProfile, type Profile, placeExtension, removeEnrolment, removeProfile} from "./profile.ts";

export interface LaunchOptions {
  headless: boolean;
  /** A folder that launch made before, or a new one; kept when the browser ends. A throw-away one by default. */
  profile?: string;
  /** Opened as the person's own tabs, the first one in front. */
  urls: readonly string[];
  /** More arguments for the browser. */
  args?: readonly string[];
}

export interface LaunchedBrowser {
  readonly pid: number;
  /** The profile's folder. */
  readonly profile: string;
  /** The browser's program. */
  readonly browser: string;
  /** Names this browser to the bridge; good as `browser` in an operation. */
  readonly installId: string;
  /** Ends the browser, forgets its key and removes a throw-away profile. May be called again. */
  stop(): Promise<void>;
  /** Resolves when the browser has ended, by whomever. */
  readonly exited: Promise<void>;
}

const connectMs = 30_000;
/** A browser that is asked to end and does not is killed after this. */
const endMs = 5_000;

/**
 * Resolves once the extension is connected and every page is opening.
 * @throws SubletError browser_unavailable, command_failed, invalid_arguments. Nothing is left behind then.
 */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  const found = findBrowser();
  const profile = await makeProfile(options.profile);
  const bridge = await connect({client: {name: "sublet launch", version: "1"}, session: "none"});
  let installId: string | undefined;
  let running: Running | undefined;
  try {
    const enrolment = await bridge.enrol(basename(profile.folder));
    installId = enrolment.install_id;
    const extension = await placeExtension(profile, enrolment);
    running = start(found, profile, extension, options);
    await Promise.race([bridge.awaitBrowser(installId, connectMs), running.endedEarly(found)]);
    await removeEnrolment(extension);
    if (options.urls.length > 1) await bridge.open(installId, options.urls.slice(1));
  } catch (thrown) {
    await cleanUp(bridge, {installId, running, profile});
    throw withHint(SubletError.from(thrown), found);
  } finally {
    await bridge.close();
  }
  const {pid, exited, end} = running;
  const launched = installId;
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    await end();
    await forget(launched);
    if (profile.throwAway) await removeProfile(profile);
  };
  return {
    pid,
    profile: profile.folder,
    browser: found.path,
    installId,
    exited,
    stop: () => (stopping ??= stop()),
  };
}

interface Running {
  pid: number;
  exited: Promise<void>;
  end(): Promise<void>;
  /** Rejects if the browser ends, with what it said. */
  endedEarly(found: FoundBrowser): Promise<never>;
}

function start(found: FoundBrowser, profile: Profile, extension: string, options: LaunchOptions): Running {
  const child = spawn(found.path, argumentsFor(profile, extension, options), {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = lastWords(child);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  return {
    pid: child.pid ?? 0,
    exited,
    async end() {
      child.kill("SIGTERM");
      const kill = setTimeout(() => child.kill("SIGKILL"), endMs);
      await exited;
      clearTimeout(kill);
    },
    async endedEarly({path}) {
      await exited;
      throw new SubletError(
        "browser_unavailable",
        `${path} ended before its extension had connected. ${said()}`.trim(),
      );
    },
  };
}

function argumentsFor(
  profile: Profile,
  extension: string,
  {headless, urls, args = []}: LaunchOptions,
): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    `--user-data-dir=${profile.folder}`,
    `--load-extension=${extension}`,
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--disable-gpu",
    // Else it may ask for the keyring's password on the person's screen.
    "--password-store=basic",
    "--use-mock-keychain",
    "--hide-crash-restore-bubble",
    "--window-size=1280,900",
    // Chromium has no sandbox for root.
    ...(isRoot ? ["--no-sandbox"] : []),
    ...(headless ? ["--headless=new"] : []),
    ...args,
    // One alone: headless Chromium refuses several.
    urls[0] ?? "about:blank",
  ];
}

/** The end of what the browser printed, for the message of a failed start. */
function lastWords(child: ChildProcess): () => string {
  let words = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    words = (words + chunk).slice(-2_000);
  });
  return () => words.trim().split("\n").slice(-3).join(" ");
}

async function cleanUp(
  bridge: Connection,
  left: {installId: string | undefined; running: Running | undefined; profile: Profile},
): Promise<void> {
  await left.running?.end();
  // The failure that led here is the one to tell.
  if (left.installId !== undefined) await bridge.forget(left.installId).catch(() => undefined);
  if (left.profile.throwAway) await removeProfile(left.profile);
}

/** A bridge that has ended needs no telling: it drops the keys of launched browsers by itself in time. */
async function forget(installId: string): Promise<void> {
  try {
    const bridge = await connect({session: "none", start: false});
    await bridge.forget(installId);
    await bridge.close();
  } catch {
    // As above.
  }
}

function withHint(error: SubletError, found: FoundBrowser): SubletError {
  if (error.code !== "browser_unavailable" || !found.branded) return error;
  const message = `${error.message}; ${found.path} may ignore --load-extension, as Google Chrome does since 137: install Chromium, or set SUBLET_BROWSER_PATH`;
  return new SubletError(error.code, message, error.data, error);
}
