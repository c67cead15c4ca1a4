// docs/reference.md, from the registry and the error table. A contract test fails when the committed page is stale;
// `npx tsx scripts/reference.ts` writes it anew.
import {writeFileSync} from "node:fs";
import {fileURLToPath} from "node:url";
import {commandLine} from "../bridge/cli/words.ts";
import {fieldsOf, type JsonSchema} from "../bridge/help/schema.ts";
import {topics} from "../bridge/help/topics.ts";
import {factsOf} from "../bridge/operations/help.ts";
import {ERRORS, type ErrorRow} from "../shared/errors.ts";
import {commonFieldNames, type Operation} from "../shared/operation.ts";
import {operations} from "../shared/operations/index.ts";

/** The whole page, as Markdown. */
export function reference(): string {
  const every: readonly Operation[] = operations;
  const named = Object.keys(topics).filter((topic) => topic !== "errors");
  return [
    "# Reference",
    "",
    "Written by `scripts/reference.ts` from the operations in `shared/operations` and the table in `shared/errors.ts`.",
    "",
    "Every operation below is an MCP tool (with `--tools all`; those marked MCP come by default), a command of `sublet`,",
    "and a method of the TypeScript client. In the CLI a field `full_page` is the flag `--full-page`.",
    "",
    "## Operations",
    "",
    "| operation | effect | MCP | what it does |",
    "| --- | --- | --- | --- |",
    ...every.map(
      ({name, effect, mcp, title}) =>
        `| [${name}](#${name}) | ${effect} | ${mcp ? "default" : "all"} | ${title} |`,
    ),
    "",
    ...every.flatMap(section),
    ...named.flatMap((topic) => [`## ${capitalised(topic)}`, "", topics[topic]?.() ?? "", ""]),
    "## Errors",
    "",
    "Recoverable: a later attempt could succeed with the same request, as long as no input reached the page.",
    "",
    "| family | code | kind | recoverable | what to do |",
    "| --- | --- | --- | --- | --- |",
    ...Object.entries(ERRORS).map(([code, row]) => errorRow(code, row)),
    "",
  ].join("\n");
}

function section(operation: Operation): string[] {
  const {name, title, description, examples, errors} = operation;
  const facts = factsOf(operation);
  const codes = errors.map((code) => `\`${code}\``).join(", ");
  return [
    `### ${name}`,
    "",
    `**${title}.** ${description}`,
    "",
    ...fieldTable(facts.input),
    `Answers with \`${shapeText(facts.output)}\`.`,
    "",
    ...(codes === "" ? [] : [`May fail with ${codes}, and with whatever any operation may.`, ""]),
    ...examples.flatMap(({input, says}) => [
      `${capitalised(says)}:`,
      "",
      "```",
      `${name} ${JSON.stringify(input)}`,
      commandLine(operation, input),
      "```",
      "",
    ]),
  ];
}

function fieldTable(input: JsonSchema): string[] {
  const required = new Set(input.required);
  const fields = fieldsOf(input);
  if (fields.length === 0) return ["Takes nothing.", ""];
  return [
    "| field | type | meaning |",
    "| --- | --- | --- |",
    ...fields.map(([name, field]) => {
      const value = field.default === undefined ? "" : ` Default: \`${JSON.stringify(field.default)}\`.`;
      const mark = required.has(name) ? " (required)" : commonFieldNames.has(name) ? " (common)" : "";
      return `| \`${name}\`${mark} | ${cell(shapeText(field))} | ${cell(`${field.description ?? ""}${value}`)} |`;
    }),
    "",
  ];
}

/** A schema in one line, the way one would write the type. */
function shapeText(schema: JsonSchema | boolean): string {
  if (typeof schema === "boolean") return "any";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return branches.map(shapeText).join(" or ");
  if (schema.type === "array")
    return `[${Array.isArray(schema.items) ? "any" : shapeText(schema.items ?? true)}]`;
  if (schema.type !== "object") return [schema.type ?? "any"].flat().join(" or ");
  const required = new Set(schema.required);
  const fields = fieldsOf(schema).map(
    ([name, field]) => `${name}${required.has(name) ? "" : "?"}: ${shapeText(field)}`,
  );
  return fields.length === 0 ? "{}" : `{${fields.join(", ")}}`;
}

const errorRow = (code: string, {family, kind, recoverable, hint}: ErrorRow): string =>
  `| ${family} | \`${code}\` | ${kind} | ${recoverable ? "yes" : "no"} | ${cell(hint)} |`;

const cell = (text: string): string => text.replaceAll("|", "\\|");

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("../docs/reference.md", import.meta.url), reference());
}
