// Forms: what a control holds.
import {z} from "zod";
import {actingFields, defineOperation, targetField} from "../operation.ts";
import {changesSchema} from "./pointer.ts";

const locating = [
  "not_found",
  "selector_ambiguous",
  "stale_ref",
  "not_visible",
  "not_enabled",
  "dialog_open",
  "timeout",
  "expectation_failed",
  "expectation_unknown",
] as const;

export const fill = defineOperation({
  name: "fill",
  where: "extension",
  title: "Fill a field",
  description:
    "Replaces a field's content with a value and reads it back. Works on inputs, text areas and editable regions.",
  effect: "act",
  input: z.strictObject({
    ...targetField,
    value: z.string().max(1_000_000).describe("What the field shall hold; empty clears it."),
    ...actingFields,
  }),
  output: changesSchema.extend({
    value: z.string().optional().describe("What the field holds now; [redacted] for a secret."),
  }),
  errors: [...locating, "not_editable", "not_a_text_field", "not_delivered", "value_rejected"],
  positional: ["target", "value"],
  examples: [{input: {target: "Email", value: "ada@example.com"}, says: "put an address into Email"}],
  mcp: true,
});

export const select = defineOperation({
  name: "select",
  where: "extension",
  title: "Select options",
  description: "Chooses options of a native select, by value, label or index, and reads the selection back.",
  effect: "act",
  input: z
    .strictObject({
      ...targetField,
      values: z.array(z.string()).min(1).max(100).optional().describe("Options by value."),
      labels: z.array(z.string()).min(1).max(100).optional().describe("Options by what they show."),
      indexes: z.array(z.int().min(0)).min(1).max(100).optional().describe("Options by position, from 0."),
      ...actingFields,
    })
    .superRefine((value, context) => {
      const given = (["values", "labels", "indexes"] as const).filter((key) => value[key] !== undefined);
      if (given.length !== 1)
        context.addIssue({code: "custom", message: "give exactly one of values, labels or indexes"});
    }),
  output: changesSchema.extend({
    selected: z.array(z.string()).optional().describe("Labels of the selected options."),
  }),
  errors: [...locating, "not_a_select", "option_not_found", "value_rejected"],
  positional: ["target"],
  examples: [{input: {target: "Country", labels: ["Norway"]}, says: "choose Norway"}],
  mcp: true,
});

export const check = defineOperation({
  name: "check",
  where: "extension",
  title: "Check or uncheck",
  description:
    "Brings a checkbox, radio button or switch into the wanted state, and reads it back. Does nothing when it is there already.",
  effect: "act",
  input: z.strictObject({
    ...targetField,
    checked: z.boolean().default(true).describe("The state it shall have."),
    ...actingFields,
  }),
  output: changesSchema.extend({
    checked: z
      .union([z.boolean(), z.literal("mixed")])
      .optional()
      .describe("The state it has now."),
  }),
  errors: [
    ...locating,
    "not_checkable",
    "intercepted",
    "not_stable",
    "not_delivered",
    "click_incomplete",
    "value_rejected",
  ],
  positional: ["target"],
  examples: [{input: {target: "I agree"}, says: "tick I agree"}],
  mcp: true,
});
