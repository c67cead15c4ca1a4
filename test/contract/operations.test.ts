// Every operation of the registry keeps the rules that the interfaces derived from it rely on.
import {describe, expect, it} from "vitest";
import {z} from "zod";
import {fieldsOf, type JsonSchema, readableSchema} from "../../bridge/help/schema.ts";
import {ERRORS} from "../../shared/errors.ts";
import {type Operation, parseInput} from "../../shared/operation.ts";
import {bridgeOperations, extensionOperations, operations} from "../../shared/operations/index.ts";

const every: readonly Operation[] = operations;

it("no two operations share a name", () => {
  const names = every.map(({name}) => name);
  expect(new Set(names).size).toBe(names.length);
});

it("each operation is listed on the side that it names in where", () => {
  for (const operation of extensionOperations) expect(operation.where, operation.name).toBe("extension");
  for (const operation of bridgeOperations) expect(operation.where, operation.name).toBe("bridge");
});

describe.each(every.map((operation) => [operation.name, operation] as const))("%s", (name, operation) => {
  const input = readableSchema(operation.input, "input");

  it("has a name in snake_case, a title and a description in sentences", () => {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(operation.title).toMatch(/^[A-Z].*[^.]$/);
    expect(operation.description).toMatch(/^[A-Z].*\.$/);
    expect(operation.description.length).toBeLessThanOrEqual(200);
  });

  it("describes every field, nested ones too", () => {
    expect(undescribed(input)).toEqual([]);
  });

  it("takes no field that it does not name", () => {
    expect(z.toJSONSchema(operation.input, {io: "input"}).additionalProperties).toBe(false);
    expect(codeOf(operation, {no_such_field: 1})).toBe("invalid_arguments");
  });

  it("names in its complaint the fields that it takes", () => {
    const message = messageOf(operation, {no_such_field: 1});
    for (const [field] of fieldsOf(input)) expect(message).toContain(field);
  });

  it("has at least one example, and each parses", () => {
    expect(operation.examples.length).toBeGreaterThan(0);
    for (const example of operation.examples) {
      expect(() => parseInput(operation, example.input)).not.toThrow();
      expect(example.says).toMatch(/^[a-z"t].*[^.]$/);
    }
  });

  it("parses to the same again: defaults only, no transforms", () => {
    for (const example of operation.examples) {
      const once = parseInput(operation, example.input);
      expect(parseInput(operation, once)).toEqual(once);
    }
  });

  it("names only errors of the table, each once", () => {
    for (const code of operation.errors) expect(Object.keys(ERRORS)).toContain(code);
    expect(new Set(operation.errors).size).toBe(operation.errors.length);
  });

  it("puts only its own fields in position, required ones first", () => {
    const names = fieldsOf(input).map(([field]) => field);
    const required = new Set(input.required);
    expect(names).toEqual(expect.arrayContaining([...operation.positional]));
    const optionalAt = operation.positional.findIndex((field) => !required.has(field));
    const requiredAfter = operation.positional
      .slice(Math.max(0, optionalAt))
      .some((field) => required.has(field));
    expect(optionalAt !== -1 && requiredAfter).toBe(false);
  });

  it("has an output that JSON Schema can say", () => {
    expect(() => z.toJSONSchema(operation.output, {io: "output"})).not.toThrow();
  });
});

function undescribed(schema: JsonSchema, path = ""): string[] {
  const {items} = schema;
  const inItems = typeof items === "object" && !Array.isArray(items) ? undescribed(items, `${path}[]`) : [];
  const inFields = fieldsOf(schema).flatMap(([name, field]) => {
    const here = `${path}.${name}`;
    return [...(field.description ? [] : [here]), ...undescribed(field, here)];
  });
  return [...inFields, ...inItems];
}

function failureOf(operation: Operation, raw: unknown): unknown {
  try {
    parseInput(operation, raw);
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

const codeOf = (operation: Operation, raw: unknown): unknown => {
  const failure = failureOf(operation, raw);
  return typeof failure === "object" && failure !== null && "code" in failure ? failure.code : undefined;
};

const messageOf = (operation: Operation, raw: unknown): string => {
  const failure = failureOf(operation, raw);
  return failure instanceof Error ? failure.message : "";
};
