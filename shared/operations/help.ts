// Help: what there is.
import {z} from "zod";
import {defineOperation} from "../operation.ts";

const summarySchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  effect: z.enum(["read", "act", "destroy"]),
  where: z.enum(["extension", "bridge"]),
});

/** One operation as `capabilities` describes it. */
export const operationFactsSchema = summarySchema.extend({
  description: z.string(),
  input: z.record(z.string(), z.unknown()).describe("JSON Schema of its input."),
  output: z.record(z.string(), z.unknown()).describe("JSON Schema of data in its result."),
  errors: z.array(
    z.strictObject({code: z.string(), kind: z.string(), recoverable: z.boolean(), hint: z.string()}),
  ),
  examples: z.array(z.strictObject({input: z.record(z.string(), z.unknown()), says: z.string()})),
});
export type OperationFacts = z.infer<typeof operationFactsSchema>;

export const capabilities = defineOperation({
  name: "capabilities",
  where: "bridge",
  title: "Capabilities",
  description: "Lists the operations, or describes one: its input, its answer, its errors, examples.",
  effect: "read",
  input: z.strictObject({
    name: z
      .string()
      .max(100)
      .optional()
      .describe("An operation, or a topic such as targets, expect or errors."),
  }),
  output: z.union([
    z.strictObject({operations: z.array(summarySchema), topics: z.array(z.string())}),
    z.strictObject({operation: operationFactsSchema}),
    z.strictObject({topic: z.string(), text: z.string()}),
  ]),
  errors: ["unknown_capability"],
  positional: ["name"],
  examples: [{input: {name: "click"}, says: "all about click"}],
  mcp: true,
});
