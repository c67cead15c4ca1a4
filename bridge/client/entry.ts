// How to run `sublet daemon` again from wherever this code runs: the built bundle, or the sources under tsx.
import {createRequire} from "node:module";
import {dirname, join} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";

export interface Command {
  file: string;
  args: string[];
}

/** The command line that becomes the bridge. */
export function daemonCommand(here: string = fileURLToPath(import.meta.url)): Command {
  // Built: every chunk lies beside main.js.
  if (!here.endsWith(".ts"))
    return {file: process.execPath, args: [join(dirname(here), "main.js"), "daemon"]};
  const loader = createRequire(here).resolve("tsx");
  return {
    file: process.execPath,
    args: ["--import", pathToFileURL(loader).href, join(dirname(here), "..", "main.ts"), "daemon"],
  };
}

/** The folder of the package: it holds package.json and dist. */
export function packageRoot(here: string = fileURLToPath(import.meta.url)): string {
  return here.endsWith(".ts") ? join(dirname(here), "..", "..") : join(dirname(here), "..", "..");
}
