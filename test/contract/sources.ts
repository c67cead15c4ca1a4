// The repository's source files as the contract tests read them.
import {readdirSync, readFileSync} from "node:fs";
import {join, relative, sep} from "node:path";
import {fileURLToPath} from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Paths below a folder, from the root, with forward slashes, sorted; none when there is no such folder. */
export function filesIn(folder: string, extension: RegExp): string[] {
  let entries: ReturnType<typeof entriesOf>;
  try {
    entries = entriesOf(join(root, folder));
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => extension.test(path))
    .sort();
}

const entriesOf = (folder: string) => readdirSync(folder, {recursive: true, withFileTypes: true});

export const readSource = (path: string): string => readFileSync(join(root, path), "utf8");

/** The source with comments gone and every string empty, so that words in them count for nothing. */
export function codeOf(source: string): string {
  const quotes = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/;
  const regex = /(?<=[(,=:[!&|?{};\n]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/;
  const pattern = new RegExp(`\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?\\*\\/|${quotes.source}|${regex.source}`, "g");
  return source.replace(pattern, (found) => (found.startsWith("//") || found.startsWith("/*") ? "" : '""'));
}

export interface Import {
  from: string;
  typeOnly: boolean;
}

/** What a file imports, statically or not, re-exports included. */
export function importsOf(source: string): Import[] {
  const statements = source.matchAll(
    /^(?:import|export)\s+(type\s)?[^;"']*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"/gm,
  );
  const dynamic = source.matchAll(/\bimport\("([^"]+)"\)/g);
  return [
    ...[...statements].map((match) => ({from: match[2] ?? match[3] ?? "", typeOnly: match[1] !== undefined})),
    ...[...dynamic].map((match) => ({from: match[1] ?? "", typeOnly: false})),
  ];
}
