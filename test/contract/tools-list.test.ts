// The tool list is read by a model before every task: it stays small, and every client understands it.
import {describe, expect, it} from "vitest";
import {instructions} from "../../bridge/mcp/instructions.ts";
import {toolsOf} from "../../bridge/mcp/tool.ts";
import {commonFieldNames, type Operation} from "../../shared/operation.ts";
import {operationNamed} from "../../shared/operations/index.ts";

const budget = 16_000;

it("tools/list stays under 16,000 characters", () => {
  expect(JSON.stringify({tools: toolsOf("default")}).length).toBeLessThan(budget);
});

it("the instructions explain each common field, and stay short", () => {
  for (const field of commonFieldNames) expect(instructions).toContain(field);
  expect(instructions.length).toBeLessThan(3_000);
});

describe.each(toolsOf("all").map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  it("lists every field of the operation, so that a strict client lets each through", () => {
    const operation: Operation | undefined = operationNamed(name);
    expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual(Object.keys(operation?.input.shape ?? {}));
  });

  it("says what each field is, but for the common ones", () => {
    for (const [field, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
      if (!commonFieldNames.has(field)) expect(schema, field).toHaveProperty("description");
    }
  });

  it("carries no references, no output schema and no schema noise", () => {
    const text = JSON.stringify(tool);
    for (const noise of ["$ref", "$schema", "$defs", "short", "outputSchema", "pattern", "maxLength"]) {
      expect(text).not.toContain(`"${noise}"`);
    }
  });

  it("says by its annotations what its effect is", () => {
    const effect = operationNamed(name)?.effect;
    expect(tool.annotations?.readOnlyHint === true).toBe(effect === "read");
    expect(tool.annotations?.destructiveHint).toBe(effect === "read" ? undefined : effect === "destroy");
  });
});
