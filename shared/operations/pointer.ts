// Pointer: what the mouse does.
import {z} from "zod";
import {actingFields, defineOperation, targetField} from "../operation.ts";

export const changesSchema = z.strictObject({
  changes: z.string().optional().describe("The outline afterwards, when observe was asked."),
});

export const click = defineOperation({
  name: "click",
  where: "extension",
  title: "Click",
  description:
    "Clicks one element with trusted mouse events, in the background. Never clicks something else in its place.",
  effect: "act",
  input: z.strictObject({
    ...targetField,
    button: z.enum(["left", "right", "middle"]).default("left").describe("Which mouse button."),
    count: z.int().min(1).max(3).default(1).describe("2 for a double click."),
    modifiers: z
      .array(z.enum(["Alt", "Control", "Meta", "Shift"]))
      .max(4)
      .default([])
      .describe("Keys held down."),
    position: z
      .strictObject({
        x: z.number().min(0).describe("CSS pixels from the left."),
        y: z.number().min(0).describe("CSS pixels from the top."),
      })
      .optional()
      .describe("Where on the element, from its top left; its middle by default."),
    method: z
      .enum(["mouse", "dom"])
      .default("mouse")
      .describe("dom calls the element's own click() instead: only when a hint says so."),
    ...actingFields,
  }),
  output: changesSchema,
  errors: [
    "not_found",
    "selector_ambiguous",
    "stale_ref",
    "not_visible",
    "not_enabled",
    "not_stable",
    "intercepted",
    "not_delivered",
    "click_incomplete",
    "dialog_open",
    "timeout",
    "expectation_failed",
    "expectation_unknown",
  ],
  positional: ["target"],
  examples: [
    {
      input: {target: "Sign in", expect: {type: "url_contains", value: "dashboard"}},
      says: "click Sign in and expect the dashboard",
    },
  ],
  mcp: true,
});
