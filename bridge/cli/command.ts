// One operation as a CLI command: its positional fields and flags are read off its input schema. Values are only put
// into shape here; whether they are right is for the registry's own check to say.
import {Argument, Command, Option} from "commander";
import {commonFieldNames, type Operation} from "../../shared/operation.ts";
import {fieldsOf, type JsonSchema, readableSchema} from "../help/schema.ts";
import {commandLine, isMany, kebab, readValue, shapeOf, usage} from "./words.ts";

/** The command without its fields: enough for the list of commands, and cheap. */
export const bareCommand = (operation: Operation): Command =>
  new Command(kebab(operation.name)).summary(operation.title).description(operation.description);

type Run = (input: Record<string, unknown>, options: {json?: boolean; session?: string}) => Promise<void>;

/**
 * The command in full.
 * @param run Gets the input as the fields of the schema, not yet checked, and the options that are not the operation's.
 */
export function fullCommand(operation: Operation, run: Run): Command {
  const command = bareCommand(operation);
  const fields = fieldsOf(readableSchema(operation.input, "input"));
  for (const name of operation.positional) {
    const field = fields.find(([each]) => each === name)?.[1] ?? {};
    command.addArgument(new Argument(`[${kebab(name)}]`, field.description ?? ""));
  }
  for (const [name, field] of fields) for (const option of optionsOf(name, field)) command.addOption(option);
  command.addHelpText("after", () => exampleText(operation));
  return command.action(async () => {
    const options = command.opts();
    await run(inputOf(operation, fields, command.args, options), options);
  });
}

function optionsOf(name: string, field: JsonSchema): Option[] {
  const flag = `--${kebab(name)}`;
  const group = commonFieldNames.has(name) ? "Common options:" : "Options:";
  const says = `${field.description ?? ""}${defaultText(field)}${isMany(field) ? " May be given several times." : ""}`;
  if (shapeOf(field) !== "flag") {
    const value = new Option(`${flag} <${wordFor(field)}>`, says).helpGroup(group);
    if (isMany(field)) value.argParser((one: string, all: string[] | undefined) => [...(all ?? []), one]);
    return [value];
  }
  const on = new Option(flag, says).helpGroup(group);
  const off = new Option(`--no-${kebab(name)}`, `Not ${kebab(name)}.`).helpGroup(group);
  return field.default === true ? [on, off] : [on, off.hideHelp()];
}

/** What the command line says, as the operation's input: fields under their own names, values in their shapes. */
function inputOf(
  operation: Operation,
  fields: readonly [string, JsonSchema][],
  words: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const position = operation.positional.indexOf(name);
    const word = position === -1 ? undefined : words[position];
    const flagged = options[camel(name)];
    if (word !== undefined && flagged !== undefined)
      throw usage(`${kebab(name)} is given twice: ${word} and --${kebab(name)}`);
    const given = word !== undefined && isMany(field) ? [word] : (word ?? flagged);
    if (given !== undefined) input[name] = readValue(name, field, given);
  }
  return input;
}

function wordFor(field: JsonSchema): string {
  const {items} = field;
  if (field.enum !== undefined) return field.enum.join("|");
  if (typeof items === "object" && !Array.isArray(items) && items.enum !== undefined) return wordFor(items);
  return {
    flag: "",
    number: "number",
    text: "text",
    nullable: "text",
    list: "text",
    any: "text|json",
    many: "json",
  }[shapeOf(field)];
}

function defaultText({default: value}: JsonSchema): string {
  const told = value !== undefined && value !== false && value !== true && !Array.isArray(value);
  return told ? ` Default: ${value}.` : "";
}

/** The examples of the registry, as one would type them. */
function exampleText(operation: Operation): string {
  const examples = operation.examples.map(
    ({input, says}) => `  ${commandLine(operation, input)}\n      ${says}`,
  );
  return examples.length === 0 ? "" : ["", "Examples:", ...examples].join("\n");
}

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
