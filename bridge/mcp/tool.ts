// One operation as an MCP tool. The list is read by a model before every task, so it is kept under 16,000 characters:
// targets and conditions are described in a line, common fields in the server's instructions (contract 2.7).
import type {Tool} from "@modelcontextprotocol/sdk/types.js";
import {commonFieldNames, type Operation} from "../../shared/operation.ts";
import {operations} from "../../shared/operations/index.ts";
import {fieldsOf, type JsonSchema, mapValues, readableSchema} from "../help/schema.ts";

/** default: what most tasks need. all: every operation. read: only what looks and changes nothing. */
export const toolSets = ["default", "all", "read"] as const;
export type ToolSet = (typeof toolSets)[number];

export function toolsOf(set: ToolSet): Tool[] {
  const every: readonly Operation[] = operations;
  return every.filter((operation) => isIn(set, operation)).map(toTool);
}

export function toTool(operation: Operation): Tool {
  return {
    name: operation.name,
    description: operation.description,
    inputSchema: inputSchemaOf(operation),
    annotations: annotationsOf(operation),
  };
}

const isIn = (set: ToolSet, operation: Operation): boolean =>
  set === "all" || (set === "read" ? operation.effect === "read" : operation.mcp);

/** Only what differs from what MCP assumes of a tool that says nothing: writing, destructive, of the open world. */
function annotationsOf(operation: Operation): NonNullable<Tool["annotations"]> {
  const world = operation.where === "bridge" ? {openWorldHint: false} : {};
  if (operation.effect === "read") return {readOnlyHint: true, ...world};
  return {destructiveHint: operation.effect === "destroy", ...world};
}

function inputSchemaOf(operation: Operation): Tool["inputSchema"] {
  const schema = readableSchema(operation.input, "input");
  const properties = fieldsOf(schema).map(([name, field]) => [
    name,
    // A common field is listed, so that strict clients let it through, and explained in the instructions.
    commonFieldNames.has(name) ? (everyday[name] ?? {}) : compact(field),
  ]);
  const required = schema.required ?? [];
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && {required}),
  };
}

/** The common fields that most calls give keep their type, so that a model writes true and not "true". */
const everyday: Readonly<Record<string, object>> = {tab: {type: "string"}, observe: {type: "boolean"}};

/** What a model needs of a field: its type, its choices, one line. The full zod check still runs, and says the rest. */
function compact(node: JsonSchema | boolean): object {
  if (typeof node === "boolean") return {};
  const {properties, items, anyOf} = node;
  return {
    ...pick(node, ["description", "type", "enum", "const", "required"]),
    ...defaultOf(node),
    ...(properties && {properties: mapValues(properties, compact)}),
    ...(items && !Array.isArray(items) && {items: compact(items)}),
    ...(anyOf && {anyOf: anyOf.map(compact)}),
  };
}

/** A default worth saying: that a flag is off and a list empty is what anyone expects. */
function defaultOf(node: JsonSchema): object {
  const value = node.default;
  const expected = value === undefined || value === false || (Array.isArray(value) && value.length === 0);
  return expected ? {} : {default: value};
}

const pick = (node: JsonSchema, keys: readonly (keyof JsonSchema)[]): object =>
  Object.fromEntries(keys.filter((key) => node[key] !== undefined).map((key) => [key, node[key]]));
