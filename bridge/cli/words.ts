// Between an operation's input and the words of a command line, both ways.
import {SubletError} from "../../shared/errors.ts";
import type {Operation} from "../../shared/operation.ts";
import type {JsonSchema} from "../help/schema.ts";

export const kebab = (name: string): string => name.replaceAll("_", "-");

/** How a field is written: any is a target or a condition, JSON or plain; many is a list of objects. */
export type Shape = "flag" | "number" | "text" | "nullable" | "list" | "any" | "many";

export function shapeOf({type, anyOf, items}: JsonSchema): Shape {
  if (type === "boolean") return "flag";
  if (type === "integer" || type === "number") return "number";
  if (type === "string") return "text";
  if (anyOf?.some((branch) => typeof branch === "object" && branch.type === "null")) return "nullable";
  if (type !== "array") return "any";
  return typeof items === "object" && "type" in items && items.type === "object" ? "many" : "list";
}

export const isMany = (field: JsonSchema): boolean => ["list", "many"].includes(shapeOf(field));

/** What a flag or a word stands for, in the field's own type. */
export function readValue(name: string, field: JsonSchema, given: unknown): unknown {
  if (Array.isArray(given)) return given.flatMap((one) => readValues(name, field, one));
  if (typeof given !== "string") return given;
  const shape = shapeOf(field);
  if (shape === "number") return numberOf(given);
  if (shape === "nullable") return given === "null" ? null : given;
  return shape === "any" ? jsonOrText(name, given) : given;
}

/** One use of a repeatable flag: a word or a number for a list, and for a list of objects one of them, or all. */
function readValues(name: string, field: JsonSchema, one: unknown): unknown[] {
  if (typeof one !== "string") return [one];
  if (shapeOf(field) === "many") return [jsonOrText(name, one)].flat();
  const items = field.items;
  const item = typeof items === "object" && !Array.isArray(items) ? items : {};
  return [shapeOf(item) === "number" ? numberOf(one) : one];
}

/** What is not a number stays as it is: the schema's check then says what it expected. */
const numberOf = (text: string): number | string =>
  text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);

/** Targets and conditions: an object is written as JSON, a ref or a name as it is. */
function jsonOrText(name: string, text: string): unknown {
  const start = text.trimStart()[0];
  if (start !== "{" && start !== "[") return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    // A name may begin with a bracket. Nothing that one would name an element by begins with a brace.
    if (start === "[") return text;
    throw usage(
      `--${kebab(name)} is not JSON (${error instanceof Error ? error.message : "unreadable"}): ${text}`,
    );
  }
}

export const usage = (message: string): SubletError => new SubletError("invalid_arguments", message);

/** The command line that gives an input. The contract tests read it back. */
export function commandLine(operation: Operation, input: Readonly<Record<string, unknown>>): string {
  return ["sublet", kebab(operation.name), ...argumentsOf(operation, input).map(shellWord)].join(" ");
}

export function argumentsOf(operation: Operation, input: Readonly<Record<string, unknown>>): string[] {
  const leading: string[] = [];
  for (const name of operation.positional) {
    const value = input[name];
    const word = value === undefined || Array.isArray(value) ? "-" : wordOf(value);
    // A word that looks like a flag is only safe behind one.
    if (word.startsWith("-")) break;
    leading.push(word);
  }
  const placed = new Set<string>(operation.positional.slice(0, leading.length));
  const flags = Object.entries(input).filter(([name, value]) => !placed.has(name) && value !== undefined);
  return [...leading, ...flags.flatMap(([name, value]) => flagsOf(`--${kebab(name)}`, value))];
}

function flagsOf(flag: string, value: unknown): string[] {
  if (value === true) return [flag];
  if (value === false) return [flag.replace("--", "--no-")];
  const plain = Array.isArray(value) && value.every((one) => typeof one !== "object");
  return plain ? value.flatMap((one) => [flag, wordOf(one)]) : [flag, wordOf(value)];
}

const wordOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const shellWord = (word: string): string =>
  /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
