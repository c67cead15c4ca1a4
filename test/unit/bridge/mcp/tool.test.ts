// How an operation's schema becomes a tool's: what is kept for a model, and what is left out.
import {expect, it} from "vitest";
import {z} from "zod";
import {toTool} from "../../../../bridge/mcp/tool.ts";
import {actingFields, defineOperation} from "../../../../shared/operation.ts";
import {targetSchema} from "../../../../shared/target.ts";

const operation = defineOperation({
  name: "paint",
  where: "extension",
  title: "Paint",
  description: "Paints one element.",
  effect: "act",
  input: z.strictObject({
    target: targetSchema.describe("What to paint."),
    over: targetSchema.optional().describe("Only over this."),
    colour: z.enum(["red", "blue"]).default("red").describe("Which colour."),
    coats: z.int().min(1).max(3).optional().describe("How many."),
    wet: z.boolean().default(false).describe("Leave it wet."),
    stencils: z
      .array(z.strictObject({at: z.string().max(9).describe("Where.")}))
      .max(4)
      .default([])
      .describe("Left blank."),
    mark: z.enum(["x"]).nullable().describe("A mark, or null."),
    ...actingFields,
  }),
  output: z.strictObject({}),
  errors: [],
  positional: ["target"],
  examples: [],
  mcp: true,
});

it("says each field in its type and one line", () => {
  expect(toTool(operation)).toEqual({
    name: "paint",
    description: "Paints one element.",
    annotations: {destructiveHint: false},
    inputSchema: {
      type: "object",
      required: ["target", "mark"],
      properties: {
        target: {description: "A ref (e12), a name or visible text, or an object: see capabilities targets."},
        over: {description: "Only over this."},
        colour: {type: "string", enum: ["red", "blue"], default: "red", description: "Which colour."},
        coats: {type: "integer", description: "How many."},
        wet: {type: "boolean", description: "Leave it wet."},
        stencils: {
          type: "array",
          description: "Left blank.",
          items: {
            type: "object",
            required: ["at"],
            properties: {at: {type: "string", description: "Where."}},
          },
        },
        mark: {description: "A mark, or null.", anyOf: [{type: "string", enum: ["x"]}, {type: "null"}]},
        tab: {type: "string"},
        observe: {type: "boolean"},
        timeout_ms: {},
        expect: {},
        expect_timeout_ms: {},
        approved: {},
        op_id: {},
      },
    },
  });
});

it("turns the effect into hints, and says only what MCP would not assume", () => {
  expect(toTool({...operation, effect: "read"}).annotations).toEqual({readOnlyHint: true});
  expect(toTool({...operation, effect: "destroy"}).annotations).toEqual({destructiveHint: true});
  expect(toTool({...operation, effect: "read", where: "bridge"}).annotations).toEqual({
    readOnlyHint: true,
    openWorldHint: false,
  });
});
