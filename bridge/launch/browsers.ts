// Finds a browser of the Chromium family on this machine. Chromium itself comes first: the branded Google Chrome has
// ignored --load-extension since version 137, and Edge follows it, so with those `launch` may wait in vain.
import {accessSync, constants} from "node:fs";
import {homedir} from "node:os";
import {delimiter, isAbsolute, join} from "node:path";
import {SubletError} from "../../shared/errors.ts";

export interface FoundBrowser {
  path: string;
  /** It may ignore --load-extension. */
  branded: boolean;
}

/**
 * The browser that launch starts.
 * @throws SubletError browser_unavailable when there is none, or SUBLET_BROWSER_PATH names none.
 */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): FoundBrowser {
  const named = env.SUBLET_BROWSER_PATH;
  if (named) {
    if (isAbsolute(named) && isExecutable(named)) return {path: named, branded: false};
    throw new SubletError(
      "browser_unavailable",
      `SUBLET_BROWSER_PATH is ${named}, which is no program; give a browser's absolute path`,
    );
  }
  for (const {path, branded} of candidates(env)) if (isExecutable(path)) return {path, branded};
  throw new SubletError(
    "browser_unavailable",
    "no Chromium was found; install one (apt install chromium, brew install --cask chromium) or set SUBLET_BROWSER_PATH to a browser's path",
  );
}

function candidates(env: NodeJS.ProcessEnv): FoundBrowser[] {
  if (process.platform === "darwin") return onMac();
  if (process.platform === "win32") return onWindows(env);
  const folders = [...(env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin", "/snap/bin"].filter(
    isAbsolute,
  );
  return onLinux.flatMap(({name, branded}) => folders.map((folder) => ({path: join(folder, name), branded})));
}

const onLinux = [
  {name: "chromium", branded: false},
  {name: "chromium-browser", branded: false},
  {name: "brave-browser", branded: false},
  {name: "google-chrome", branded: true},
  {name: "google-chrome-stable", branded: true},
  {name: "microsoft-edge", branded: true},
];

const onMac = (): FoundBrowser[] =>
  ["/Applications", join(homedir(), "Applications")].flatMap((folder) => [
    {path: `${folder}/Chromium.app/Contents/MacOS/Chromium`, branded: false},
    {path: `${folder}/Brave Browser.app/Contents/MacOS/Brave Browser`, branded: false},
    {path: `${folder}/Google Chrome.app/Contents/MacOS/Google Chrome`, branded: true},
    {path: `${folder}/Microsoft Edge.app/Contents/MacOS/Microsoft Edge`, branded: true},
  ]);

const onWindows = (env: NodeJS.ProcessEnv): FoundBrowser[] =>
  [env.LOCALAPPDATA, env.PROGRAMFILES, env["PROGRAMFILES(X86)"]]
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => [
      {path: `${folder}\\Chromium\\Application\\chrome.exe`, branded: false},
      {path: `${folder}\\BraveSoftware\\Brave-Browser\\Application\\brave.exe`, branded: false},
      {path: `${folder}\\Google\\Chrome\\Application\\chrome.exe`, branded: true},
      {path: `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`, branded: true},
    ]);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
