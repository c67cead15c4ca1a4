// Checking: does what the caller expects hold?
import {z} from "zod";
import {conditionSchema} from "../condition.ts";
import {LIMITS} from "../limits.ts";
import {defineOperation, tabField} from "../operation.ts";

export const expectOperation = defineOperation({
  name: "expect",
  where: "extension",
  title: "Expect",
  description:
    "Waits until every condition holds, or says which did not and what was there instead. Looks only.",
  effect: "read",
  input: z.strictObject({
    ...tabField,
    conditions: z
      .union([conditionSchema, z.array(conditionSchema).min(1).max(8)])
      .meta({short: "One condition or a list: see capabilities expect."})
      .describe("What must hold: one condition or a list of up to 8; see capabilities expect."),
    timeout_ms: z
      .int()
      .min(0)
      .max(LIMITS.operationTimeoutMaxMs)
      .default(LIMITS.expectTimeoutMs)
      .describe("How long to wait for it."),
  }),
  output: z.strictObject({}),
  errors: ["expectation_failed", "expectation_unknown"],
  positional: [],
  examples: [
    {input: {conditions: {type: "text_visible", text: "Saved"}}, says: "wait until Saved can be seen"},
  ],
  mcp: true,
});
