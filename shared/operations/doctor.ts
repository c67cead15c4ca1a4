// Doctor: what is wrong, and what mends it.
import {z} from "zod";
import {defineOperation} from "../operation.ts";

export const doctor = defineOperation({
  name: "doctor",
  where: "bridge",
  title: "Doctor",
  description:
    "Checks every part (node, bridge, browser, extension, versions) and says the fix for what is wrong.",
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({
    healthy: z.boolean(),
    checks: z.array(
      z.strictObject({check: z.string(), ok: z.boolean(), found: z.string(), fix: z.string().optional()}),
    ),
  }),
  errors: [],
  positional: [],
  examples: [{input: {}, says: "what is wrong, if anything"}],
  mcp: true,
});
