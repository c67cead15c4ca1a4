// JSON Schema as people, models and the CLI read it. Targets and conditions nest without end and are told in their own
// topics, so one line stands for each; leaving them out also makes this fast enough for every start of the CLI.
import {z} from "zod";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The schema of an operation's input or output, with every field marked `short` reduced to one line. */
export function readableSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const short = schema.meta()?.short;
  if (typeof short === "string") return {description: short};
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return wrapped(schema, io);
  if (schema instanceof z.ZodArray) {
    return {...described(schema), type: "array", items: readableSchema(asType(schema.element), io)};
  }
  return schema instanceof z.ZodObject ? objectSchema(schema, io) : plain(schema, io);
}

/** The fields of an object's schema, in order; none when it is not an object. */
export const fieldsOf = (schema: JsonSchema): [string, JsonSchema][] =>
  Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    typeof field === "boolean" ? {} : field,
  ]);

export const mapValues = <From, To>(
  record: Record<string, From>,
  map: (value: From) => To,
): Record<string, To> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

/** What the outer words say of a field goes before what the inner ones do. */
function wrapped(schema: z.ZodOptional | z.ZodDefault, io: "input" | "output"): JsonSchema {
  const inner = readableSchema(asType(schema.unwrap()), io);
  return {
    ...inner,
    ...described(schema),
    ...(schema instanceof z.ZodDefault && {default: defaultOf(schema)}),
  };
}

function objectSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const fields = Object.entries(schema.shape).map(([name, field]): [string, z.ZodType] => [
    name,
    asType(field),
  ]);
  const required = fields.filter(([, field]) => !mayBeLeftOut(field, io)).map(([name]) => name);
  const isLoose = schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever);
  return {
    ...described(schema),
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, readableSchema(field, io)])),
    ...(required.length > 0 && {required}),
    additionalProperties: isLoose,
  };
}

const mayBeLeftOut = (field: z.ZodType, io: "input" | "output"): boolean =>
  field instanceof z.ZodOptional || (io === "input" && field instanceof z.ZodDefault);

function plain(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const {$schema: _, minimum, maximum, ...rest} = z.toJSONSchema(schema, {io});
  return {
    ...rest,
    // zod writes the safe integers as the bounds of every integer, which says nothing.
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && {minimum}),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && {maximum}),
  };
}

const described = ({description}: z.ZodType): JsonSchema => (description === undefined ? {} : {description});

const defaultOf = (schema: z.ZodDefault): NonNullable<JsonSchema["default"]> =>
  JSON.parse(JSON.stringify(schema.def.defaultValue));

/** zod types its inner schemas as the core's; all of ours are made by the classic one. */
function asType(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new Error("a schema made by another zod");
}
