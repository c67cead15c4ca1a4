// Help: what there is, and what is wrong.
import {z} from "zod";
import {defineOperation} from "../operation.ts";

export const capabilities = defineOperation({
  name: "capabilities",
  where: "bridge",
  title: "Capabilities",
  description: "Lists the operations, or describes one: its input, its answer, its errors, examples.",
  effect: "read",
  input: z.strictObject({name: z.string().max(100).optional().describe("An operation, or a topic such as targets, expect or errors.")}),
  output: z.looseObject({}),
  errors: ["unknown_capability"],
  positional: ["name"],
  examples: [{input: {name: "click"}, says: "all about click"}],
  mcp: true,
});

export const doctor = defineOperation({
  name: "doctor",
  where: "bridge",
  title: "Doctor",
  description: "Checks every part (node, bridge, browser, extension, versions) and says the fix for what is wrong.",
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({
    healthy: z.boolean(),
    checks: z.array(z.strictObject({check: z.string(), ok: z.boolean(), found: z.string(), fix: z.string().optional()})),
  }),
  errors: [],
  positional: [],
  examples: [{input: {}, says: "what is wrong, if anything"}],
  mcp: true,
});
