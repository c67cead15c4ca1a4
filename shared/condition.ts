// Conditions: what a caller asks to hold (contract 2.3), and how leaf answers combine. No waiting here.
import {z} from "zod";
import {type Target, targetSchema} from "./target.ts";

const text = z.string().min(1).max(10_000);
const onTarget = {target: targetSchema.describe("The element the condition speaks of.")};

const leafSchemas = [
  z.strictObject({type: z.literal("url_contains"), value: text.describe("Part of the page's URL.")}),
  z.strictObject({type: z.literal("url_equals"), value: text.describe("The page's whole URL.")}),
  z.strictObject({
    type: z.literal("url_matches"),
    value: text.describe("A regular expression the URL must match."),
  }),
  z.strictObject({type: z.literal("title_contains"), value: text.describe("Part of the page's title.")}),
  z.strictObject({
    type: z.literal("title_equals"),
    value: z.string().max(10_000).describe("The page's whole title."),
  }),
  z.strictObject({
    type: z.literal("text_visible"),
    text: text.describe("Text that a person can see."),
    within: targetSchema.optional().describe("Only inside this element."),
  }),
  z.strictObject({
    type: z.literal("text_absent"),
    text: text.describe("Text that nobody can see."),
    within: targetSchema.optional().describe("Only inside this element."),
  }),
  z.strictObject({type: z.literal("element_visible"), ...onTarget}),
  z.strictObject({type: z.literal("element_absent"), ...onTarget}),
  z.strictObject({type: z.literal("enabled"), ...onTarget}),
  z.strictObject({type: z.literal("disabled"), ...onTarget}),
  z.strictObject({type: z.literal("checked"), ...onTarget}),
  z.strictObject({type: z.literal("unchecked"), ...onTarget}),
  z.strictObject({type: z.literal("focused"), ...onTarget}),
  z.strictObject({
    type: z.literal("value_equals"),
    ...onTarget,
    value: z.string().describe("The whole value."),
  }),
  z.strictObject({
    type: z.literal("value_contains"),
    ...onTarget,
    value: text.describe("Part of the value."),
  }),
  z.strictObject({
    type: z.literal("selected"),
    ...onTarget,
    value: z.string().describe("The value or label of a selected option."),
  }),
  z.strictObject({
    type: z.literal("attribute"),
    ...onTarget,
    name: text.describe("The attribute's name."),
    value: z.string().describe("The attribute's whole value."),
  }),
  z.strictObject({
    type: z.literal("count"),
    ...onTarget,
    equals: z.int().min(0).optional().describe("Exactly so many visible matches."),
    min: z.int().min(0).optional().describe("At least so many."),
    max: z.int().min(0).optional().describe("At most so many."),
  }),
  z.strictObject({
    type: z.literal("dialog_open"),
    text: text.optional().describe("Part of the dialog's message."),
  }),
  z.strictObject({type: z.literal("no_dialog")}),
  z.strictObject({
    type: z.literal("tab_opened"),
    url_contains: text.optional().describe("Part of the new tab's URL."),
  }),
  z.strictObject({
    type: z.literal("download_started"),
    filename_contains: text.optional().describe("Part of the file's name."),
  }),
  z.strictObject({type: z.literal("download_finished")}),
  z.strictObject({
    type: z.literal("request"),
    url_contains: text.describe("Part of the request's URL."),
    method: text.optional().describe("The HTTP method."),
    status: z.int().min(100).max(599).optional().describe("The response's status."),
  }),
  z.strictObject({type: z.literal("console_clean")}),
  z.strictObject({
    type: z.literal("dom_stable"),
    ms: z.int().min(1).max(10_000).describe("No change in the page for so long."),
  }),
  z.strictObject({
    type: z.literal("network_idle"),
    ms: z.int().min(1).max(10_000).describe("No request under way for so long."),
  }),
] as const;

export const leafConditionSchema = z.discriminatedUnion("type", leafSchemas);
export type LeafCondition = z.infer<typeof leafConditionSchema>;
export type Condition =
  | LeafCondition
  | {type: "all"; of: Condition[]}
  | {type: "any"; of: Condition[]}
  | {type: "not"; of: Condition};

export const conditionTypes: readonly string[] = [
  ...leafSchemas.map((schema) => schema.shape.type.value),
  "all",
  "any",
  "not",
];

const maxDepth = 3;
const maxConditions = 16;

const treeSchema: z.ZodType<Condition> = z.lazy(() =>
  z.discriminatedUnion("type", [
    ...leafSchemas,
    z.strictObject({type: z.literal("all"), of: z.array(treeSchema).min(1).max(maxConditions)}),
    z.strictObject({type: z.literal("any"), of: z.array(treeSchema).min(1).max(maxConditions)}),
    z.strictObject({type: z.literal("not"), of: treeSchema}),
  ]),
);

/** One condition, or a nest of them: at most 3 deep, 16 in all. */
export const conditionSchema: z.ZodType<Condition> = treeSchema.superRefine((condition, context) => {
  if (depthOf(condition) > maxDepth)
    context.addIssue({code: "custom", message: `all, any and not nest at most ${maxDepth} deep`});
  if (leavesOf(condition).length > maxConditions)
    context.addIssue({code: "custom", message: `at most ${maxConditions} conditions in all`});
  for (const leaf of leavesOf(condition)) {
    if (leaf.type === "url_matches" && !isRegularExpression(leaf.value)) {
      context.addIssue({code: "custom", message: `not a regular expression: ${leaf.value}`});
    }
    if (
      leaf.type === "count" &&
      leaf.equals === undefined &&
      leaf.min === undefined &&
      leaf.max === undefined
    ) {
      context.addIssue({code: "custom", message: "count needs equals, min or max"});
    }
  }
});

/** What an action may expect: one condition, or up to 8 that must all hold. */
export const expectSchema = z.union([conditionSchema, z.array(conditionSchema).min(1).max(8)]).meta({
  short: "One condition or a list, e.g. {type: 'text_visible', text: 'Saved'}: see capabilities expect.",
});
export type Expect = z.infer<typeof expectSchema>;

export const asConditions = (expect: Expect): Condition[] => (Array.isArray(expect) ? expect : [expect]);

/** Every leaf of a nest, left to right. */
export function leavesOf(condition: Condition): LeafCondition[] {
  if (condition.type === "all" || condition.type === "any") return condition.of.flatMap(leavesOf);
  if (condition.type === "not") return leavesOf(condition.of);
  return [condition];
}

export type CheckStatus = "passed" | "failed" | "unknown";
export type UnknownReason =
  | "target_missing"
  | "multi_match"
  | "frame_unreachable"
  | "dialog_open"
  | "page_crashed"
  | "stability_unproven"
  | "unsupported";

/** What was found out about one condition. `observed` is what was there, for a person or a report to read. */
export interface Finding {
  status: CheckStatus;
  observed?: unknown;
  reason?: UnknownReason;
}

/** The finding of a nest from those of its leaves, given in `leavesOf` order. Unknown never becomes passed. */
export function combine(condition: Condition, findings: readonly Finding[]): Finding {
  const queue = [...findings];
  return fold(condition, queue);
}

function fold(condition: Condition, queue: Finding[]): Finding {
  if (condition.type === "not") {
    const inner = fold(condition.of, queue);
    if (inner.status === "unknown") return inner;
    return {...inner, status: inner.status === "passed" ? "failed" : "passed"};
  }
  if (condition.type === "all" || condition.type === "any") {
    const parts = condition.of.map((part) => fold(part, queue));
    const decisive: CheckStatus = condition.type === "all" ? "failed" : "passed";
    const otherwise: CheckStatus = condition.type === "all" ? "passed" : "failed";
    const unknown = parts.find((part) => part.status === "unknown");
    const observed = parts.map((part) => part.observed ?? part.status);
    if (parts.some((part) => part.status === decisive)) return {status: decisive, observed};
    if (unknown !== undefined)
      return {status: "unknown", observed, ...(unknown.reason && {reason: unknown.reason})};
    return {status: otherwise, observed};
  }
  return queue.shift() ?? {status: "unknown", reason: "unsupported"};
}

function depthOf(condition: Condition): number {
  if (condition.type === "all" || condition.type === "any") return 1 + Math.max(...condition.of.map(depthOf));
  if (condition.type === "not") return 1 + depthOf(condition.of);
  return 0;
}

function isRegularExpression(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

/** The targets that a condition speaks of, so that whoever looks knows which frames to ask. */
export function targetsOf(leaf: LeafCondition): Target[] {
  if ("target" in leaf) return [leaf.target];
  if ("within" in leaf && leaf.within !== undefined) return [leaf.within];
  return [];
}
