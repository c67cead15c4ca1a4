// Keyboard: keys pressed.
import {z} from "zod";
import {actingFields, defineOperation} from "../operation.ts";
import {targetSchema} from "../target.ts";
import {changesSchema} from "./pointer.ts";

export const press = defineOperation({
  name: "press",
  where: "extension",
  title: "Press a key",
  description:
    "Presses one key or chord, such as Enter or Control+Shift+K, on an element or on whatever has the focus.",
  effect: "act",
  input: z.strictObject({
    key: z
      .string()
      .min(1)
      .max(60)
      .describe("A key by its DOM name, with modifiers before it: Enter, a, Control+Shift+K."),
    target: targetSchema.optional().describe("Focused first; what has the focus already, when left out."),
    ...actingFields,
  }),
  output: changesSchema,
  errors: [
    "not_found",
    "selector_ambiguous",
    "stale_ref",
    "not_visible",
    "not_enabled",
    "not_delivered",
    "dialog_open",
    "timeout",
    "expectation_failed",
    "expectation_unknown",
  ],
  positional: ["key", "target"],
  examples: [{input: {key: "Enter", target: "Search"}, says: "press Enter in the search field"}],
  mcp: true,
});
