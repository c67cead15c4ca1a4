// What is wrong, and the exact thing that mends it. Each check stands alone: none keeps another from being made.
import {existsSync, lstatSync, readdirSync} from "node:fs";
import {join} from "node:path";
import {DEFAULT_PORT} from "../../shared/limits.ts";
import type {Output} from "../../shared/operations/index.ts";
import type {Status} from "../../shared/protocol.ts";
import {packageRoot} from "../client/entry.ts";
import {type Home, home, modeOf, quoted, wrongWithFolder} from "../home.ts";
import {findBrowser} from "../launch/browsers.ts";
import {VERSION} from "../version.ts";

export interface DoctorFacts {
  /** The running bridge, or null when none answers. */
  bridge: {home: Home; status: Status} | null;
  /** Why none could be started, when that was tried. */
  trouble?: string;
}

type Report = Output<"doctor">;
type Check = Report["checks"][number];
type Finding = Omit<Check, "check">;

/** Never throws: a check that fails in an unforeseen way is a finding too. */
export function diagnose({bridge, trouble}: DoctorFacts): Report {
  const status = bridge?.status ?? null;
  const checks = [
    look("node", node),
    look("folders", () => folders(bridge?.home ?? home())),
    look("files", () => files((bridge?.home ?? home()).state)),
    look("bridge", () => running(status, trouble)),
    look("port", () => port(status)),
    look("extension", () => extension(status)),
    look("browser", () => browser(status)),
  ];
  return {healthy: checks.every(({ok}) => ok), checks};
}

function look(check: string, find: () => Finding): Check {
  try {
    return {check, ...find()};
  } catch (thrown) {
    const found = thrown instanceof Error ? thrown.message : String(thrown);
    return {check, ok: false, found, fix: "mend what is named here, then run sublet doctor again"};
  }
}

const nodeFloor = [20, 19] as const;

function node(): Finding {
  const found = `Node ${process.versions.node} at ${process.execPath}`;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const ok = major > nodeFloor[0] || (major === nodeFloor[0] && minor >= nodeFloor[1]);
  return ok ? {ok, found} : {ok, found, fix: `install Node ${nodeFloor.join(".")} or newer`};
}

function folders({state, run, artifacts, profiles}: Home): Finding {
  const there = [state, run, artifacts, profiles].filter((folder) => existsSync(folder));
  const [wrong] = there.flatMap((folder) => wrongWithFolder(folder) ?? []);
  if (wrong !== undefined) return {ok: false, ...wrong};
  return {
    ok: true,
    found: there.length === 0 ? `none yet; they will be made under ${state}` : `${there.join(", ")}: private`,
  };
}

function files(state: string): Finding {
  if (process.getuid === undefined || !existsSync(state)) return {ok: true, found: "none to check"};
  const paths = readdirSync(state, {withFileTypes: true}).flatMap((entry) =>
    entry.isDirectory() ? [] : [join(state, entry.name)],
  );
  for (const path of paths) {
    const facts = lstatSync(path);
    if (!facts.isFile())
      return {
        ok: false,
        found: `${path} is not a plain file`,
        fix: `mv ${quoted(path)} ${quoted(`${path}.moved`)}`,
      };
    if ((facts.mode & 0o077) !== 0)
      return {
        ok: false,
        found: `${path} is open to others (mode ${modeOf(facts)})`,
        fix: `chmod 600 ${quoted(path)}`,
      };
  }
  return {ok: true, found: `${paths.length} files in ${state}: private`};
}

function running(status: Status | null, trouble: string | undefined): Finding {
  if (status === null && trouble !== undefined)
    return {ok: false, found: trouble, fix: "mend what is named here, then run sublet status"};
  if (status === null) return {ok: true, found: "not running; the next command starts it"};
  const found = `version ${status.version}, process ${status.pid}`;
  if (status.version === VERSION) return {ok: true, found};
  return {
    ok: false,
    found: `${found}, while this is ${VERSION}`,
    fix: "sublet stop (the next command starts the new one)",
  };
}

function port(status: Status | null): Finding {
  if (status === null) return {ok: true, found: `the bridge is not running; it will try ${DEFAULT_PORT}`};
  return {ok: status.port !== null, found: status.port === null ? "none" : `127.0.0.1:${status.port}`};
}

function extension(status: Status | null): Finding {
  const connected = status?.browsers.filter((one) => one.connected) ?? [];
  if (connected.length === 0) {
    return {
      ok: false,
      found: "no browser with the Sublet extension is connected",
      fix: "sublet launch starts one; in your own browser, click Connect in the Sublet popup",
    };
  }
  const found = connected
    .map(
      (one) =>
        `${one.letter} "${one.name}" (${one.product}, extension ${one.extension_version}, ${one.leases} tabs lent)`,
    )
    .join("; ");
  const stopped = connected.find((one) => one.stopped);
  if (stopped !== undefined)
    return {
      ok: false,
      found: `${found}; "${stopped.name}" was stopped by the person`,
      fix: "only the person can allow agents again, in the Sublet popup",
    };
  const other = connected.find((one) => one.extension_version !== VERSION);
  if (other !== undefined)
    return {
      ok: false,
      found: `${found}, while the bridge is ${VERSION}`,
      fix: `reload the extension of "${other.name}" at chrome://extensions`,
    };
  return {ok: true, found};
}

/** Only launch needs a program; a browser that is connected already is proof enough that there is one. */
function browser(status: Status | null): Finding {
  const built = join(packageRoot(), "dist", "extension", "manifest.json");
  if (status?.browsers.some((one) => one.connected)) return {ok: true, found: "one is connected"};
  const {path, branded} = findBrowser();
  if (!existsSync(built))
    return {ok: false, found: `${path}; the extension is not built (${built})`, fix: "npm run build"};
  if (!branded) return {ok: true, found: path};
  return {
    ok: false,
    found: `${path}, which may ignore --load-extension (Google Chrome does since 137)`,
    fix: "install Chromium, or set SUBLET_BROWSER_PATH, for sublet launch; your own Chrome is not affected",
  };
}
