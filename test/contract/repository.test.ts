// The repository's own rules (architecture 3.3, style 5.3): what may import what, how long a file may be, what it may
// be called, and that the type system is not talked out of its doubts.
import {basename, dirname, join, normalize} from "node:path";
import {expect, it} from "vitest";
import type {Operation} from "../../shared/operation.ts";
import {operations} from "../../shared/operations/index.ts";
import {assertions} from "./assertions.ts";
import {codeOf, filesIn, importsOf, readSource} from "./sources.ts";

const source = /\.tsx?$/;
const product = ["shared", "extension", "bridge"].flatMap((folder) => filesIn(folder, source));
const everything = [
  ...product,
  ...["test", "bench", "demo", "scripts"].flatMap((folder) => filesIn(folder, source)),
];

it("finds the sources", () => {
  expect(product.length).toBeGreaterThan(40);
  expect(
    importsOf('import type {A} from "./a.ts";\nimport {\n  b,\n} from "b";\nawait import("c");\n'),
  ).toEqual([
    {from: "./a.ts", typeOnly: true},
    {from: "b", typeOnly: false},
    {from: "c", typeOnly: false},
  ]);
});

it("shared imports itself and zod, and nothing else", () => {
  expect(imported("shared").filter(({to}) => !to.startsWith("shared/") && to !== "zod")).toEqual([]);
});

it("nothing in shared reaches out: no Node, no DOM, no Chrome", () => {
  const reaching = filesIn("shared", source).filter((path) =>
    /\b(process|document|window|chrome|fetch|require)\s*[.(]/.test(codeOf(readSource(path))),
  );
  expect(reaching).toEqual([]);
});

it("errors.ts is free of zod, so that any part may import it", () => {
  expect(importsOf(readSource("shared/errors.ts"))).toEqual([]);
});

it("extension and bridge never import each other", () => {
  expect(imported("extension").filter(({to}) => to.startsWith("bridge/"))).toEqual([]);
  expect(imported("bridge").filter(({to}) => to.startsWith("extension/"))).toEqual([]);
});

it("the extension imports nothing of Node", () => {
  expect(imported("extension").filter(({to}) => to.startsWith("node:"))).toEqual([]);
});

it("what runs in a page imports only types from shared, and nothing of the worker", () => {
  for (const folder of ["extension/page", "extension/content"]) {
    const imports = imported(folder);
    expect(imports.filter(({to, typeOnly}) => to.startsWith("shared/") && !typeOnly)).toEqual([]);
    expect(imports.filter(({to}) => /^extension\/(background|operations|popup)\//.test(to))).toEqual([]);
    expect(imports.filter(({to}) => !to.startsWith("shared/") && !to.startsWith("extension/"))).toEqual([]);
  }
});

it("only the parts that serve MCP load its SDK", () => {
  const users = imported("bridge").filter(
    ({to, typeOnly}) => to.startsWith("@modelcontextprotocol/") && !typeOnly,
  );
  expect(new Set(users.map(({path}) => path))).toEqual(new Set(["bridge/mcp/server.ts"]));
});

it("no file is over 350 lines", () => {
  const long = everything.map((path) => [path, readSource(path).split("\n").length - 1] as const);
  expect(long.filter(([, lines]) => lines > 350)).toEqual([]);
});

it("no file or folder is called after what it is not", () => {
  const vague = /^(utils?|helpers?|common|misc|managers?|services?)$/;
  const named = everything.filter((path) =>
    path
      .replace(/\.tsx?$/, "")
      .split(/[/.]/)
      .some((part) => vague.test(part)),
  );
  expect(named).toEqual([]);
});

it("files are named in kebab-case", () => {
  expect(everything.filter((path) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/.test(basename(path)))).toEqual(
    [],
  );
});

it("every source file opens with a comment on its role", () => {
  expect(product.filter((path) => !/^(#!.*\n)?(\/\/|\/\*)/.test(readSource(path)))).toEqual([]);
});

it("no default exports, and no switched-off checks", () => {
  const code = product.map((path) => [path, readSource(path)] as const);
  expect(code.filter(([, text]) => /^export default/m.test(text)).map(([path]) => path)).toEqual([]);
  expect(
    code
      .filter(([, text]) => /@ts-(ignore|nocheck|expect-error)|biome-ignore/.test(text))
      .map(([path]) => path),
  ).toEqual([]);
});

it("type assertions stand only where test/contract/assertions.ts says, and as often", () => {
  const found = product
    .map((path): [string, number] => [path, assertionsIn(readSource(path))])
    .filter(([, count]) => count > 0);
  expect(Object.fromEntries(found)).toEqual(assertions);
});

it("each noun has the same file name in shared and where its operations run", () => {
  const nouns = nounsOf("shared/operations");
  expect(
    [...nounsOf("extension/operations"), ...nounsOf("bridge/operations")].filter(
      (noun) => !nouns.includes(noun),
    ),
  ).toEqual([]);
  for (const side of ["extension", "bridge"] as const) {
    const wanted = nouns.filter((noun) => operationsOf(noun).some(({where}) => where === side));
    expect(nounsOf(`${side}/operations`), side).toEqual(wanted);
  }
});

it("each noun that the extension runs has its browser test", () => {
  const tested = filesIn("test/browser", /\.test\.ts$/).map((path) => basename(path, ".test.ts"));
  const wanted = nounsOf("shared/operations").filter((noun) =>
    operationsOf(noun).some(({where}) => where === "extension"),
  );
  expect(wanted.filter((noun) => !tested.includes(noun))).toEqual([]);
});

interface Edge {
  path: string;
  to: string;
  typeOnly: boolean;
}

/** Everything that a folder's files import; what is ours as a path from the root. */
function imported(folder: string): Edge[] {
  return filesIn(folder, source).flatMap((path) =>
    importsOf(readSource(path)).map(({from, typeOnly}) => ({
      path,
      to: from.startsWith(".") ? normalize(join(dirname(path), from)) : from,
      typeOnly,
    })),
  );
}

/** `x as Y`, save `as const`, renamed imports and exports, and the key of a mapped type. */
function assertionsIn(text: string): number {
  const code = codeOf(text)
    .replace(/^(import|export)\s[^;]*?\bfrom\b/gm, "")
    .replace(/\[\w+ in [^\]]+\]?\] as/g, "");
  return [...code.matchAll(/[\w)\]}"!]\s+as\s+(?!const\b)[\w({["]/g)].length;
}

const nounsOf = (folder: string): string[] =>
  filesIn(folder, source)
    .map((path) => basename(path, ".ts"))
    .filter((noun) => noun !== "index");

/** The operations that a noun's file declares, found by their names in it. */
function operationsOf(noun: string): Operation[] {
  const declared = readSource(`shared/operations/${noun}.ts`);
  const every: readonly Operation[] = operations;
  return every.filter(({name}) => declared.includes(`\n  name: "${name}",`));
}
