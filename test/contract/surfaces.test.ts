// The same operations, by the same names, everywhere: MCP, CLI, client, capabilities and the reference page.
import {readFileSync} from "node:fs";
import {expect, it} from "vitest";
import {type Actions, buildProgram} from "../../bridge/cli/program.ts";
import {argumentsOf, kebab} from "../../bridge/cli/words.ts";
import {createClient} from "../../bridge/client/client.ts";
import {fieldsOf, readableSchema} from "../../bridge/help/schema.ts";
import {toolsOf} from "../../bridge/mcp/tool.ts";
import {helpHandlers} from "../../bridge/operations/help.ts";
import {reference} from "../../scripts/reference.ts";
import {type Operation, parseInput} from "../../shared/operation.ts";
import {capabilities} from "../../shared/operations/help.ts";
import {operations} from "../../shared/operations/index.ts";

const every: readonly Operation[] = operations;
const names = every.map(({name}) => name).sort();

it("MCP lists all of them with --tools all", () => {
  expect(
    toolsOf("all")
      .map(({name}) => name)
      .sort(),
  ).toEqual(names);
});

it("MCP lists by default those marked for it, and with --tools read those that only look", () => {
  expect(toolsOf("default").map(({name}) => name)).toEqual(
    every.filter(({mcp}) => mcp).map(({name}) => name),
  );
  expect(toolsOf("read").map(({name}) => name)).toEqual(
    every.filter(({effect}) => effect === "read").map(({name}) => name),
  );
});

it("the CLI has a command for each, and none of its own by the same name", () => {
  const commands = buildProgram(undefined, noActions).commands.map((command) => command.name());
  expect(commands).toEqual(expect.arrayContaining(names.map(kebab)));
  expect(new Set(commands).size).toBe(commands.length);
});

it("the CLI's own options do not hide a field", () => {
  for (const operation of every) {
    const fields = fieldsOf(readableSchema(operation.input, "input")).map(([field]) => field);
    expect(fields, operation.name).not.toContain("json");
    expect(fields, operation.name).not.toContain("session");
    expect(fields, operation.name).not.toContain("help");
  }
});

it("the CLI reads every example back from the command line that it shows for it", async () => {
  for (const operation of every) {
    for (const {input} of operation.examples) {
      expect(await parsedByCli(operation, argumentsOf(operation, input)), operation.name).toEqual(input);
      // What a person types in flags alone comes to the same.
      expect(
        await parsedByCli(operation, argumentsOf({...operation, positional: []}, input)),
        operation.name,
      ).toEqual(input);
    }
  }
});

it("the client has a method for each, which runs the operation of that name", async () => {
  const ran: string[] = [];
  const client = createClient({
    runAny: async (op) => {
      ran.push(op);
      throw new Error("enough");
    },
  });
  expect(Object.keys(client).sort()).toEqual(names);
  for (const method of Object.values<(input: never) => Promise<unknown>>(client))
    await method({} as never).catch(() => undefined);
  expect(ran.sort()).toEqual(names);
});

it("capabilities lists all of them, and describes each, in the shape that the registry promises", async () => {
  const list = await helpHandlers.capabilities({});
  expect("operations" in list && list.operations.map(({name}) => name).sort()).toEqual(names);
  for (const name of [undefined, ...names, "targets", "expect", "errors", "results"]) {
    const told = await helpHandlers.capabilities({name});
    expect(capabilities.output.safeParse(told).error, name).toBeUndefined();
  }
});

it("docs/reference.md is fresh: npx tsx scripts/reference.ts", () => {
  expect(readFileSync("docs/reference.md", "utf8")).toBe(reference());
});

it("the reference describes each operation and each of its fields", () => {
  const page = reference();
  for (const operation of every) {
    const [, section = ""] = page.split(`\n### ${operation.name}\n`);
    const own = section.split("\n### ")[0] ?? "";
    for (const [field] of fieldsOf(readableSchema(operation.input, "input")))
      expect(own, operation.name).toContain(`\`${field}\``);
  }
});

const nothing = async (): Promise<void> => undefined;
const noActions: Actions = {
  operation: nothing,
  mcp: nothing,
  daemon: nothing,
  launch: nothing,
  status: nothing,
  stop: nothing,
};

/** What the CLI makes of the words after the command's name; checked against the schema, as a run would be. */
async function parsedByCli(operation: Operation, words: string[]): Promise<unknown> {
  const seen: unknown[] = [];
  const program = buildProgram(kebab(operation.name), {
    ...noActions,
    operation: async (_, input) => {
      parseInput(operation, input);
      seen.push(input);
    },
  });
  await program.parseAsync([kebab(operation.name), ...words], {from: "user"});
  return seen[0];
}
