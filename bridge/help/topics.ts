// What holds for every operation, as short texts: how to name an element, what may be expected, which errors there
// are, how to read a result. The lists in them are read off the schemas and the error table.
import {z} from "zod";
import {conditionTypes, leafConditionSchema} from "../../shared/condition.ts";
import {ERRORS, type ErrorRow} from "../../shared/errors.ts";
import {noteNames} from "../../shared/result.ts";
import {targetObjectSchema} from "../../shared/target.ts";
import {fieldsOf, type JsonSchema} from "./schema.ts";

/** Each topic's text, in Markdown. Made when asked for: a bridge that nobody asks need not build schemas. */
export const topics: Readonly<Record<string, () => string>> = {targets, expect, errors, results};

function targets(): string {
  return [
    "A target names one element. Give a string, or an object with exactly one way of naming.",
    "",
    "A string is a ref if it looks like one (e12, f2e5). Otherwise it is tried as accessible name, label, placeholder,",
    "test id and visible text, in that order; the first that matches wins. Case and extra spaces do not matter, and the",
    "whole text must match. Several matches are an error with candidates, never a guess.",
    "",
    ...fieldLines(z.toJSONSchema(targetObjectSchema, {io: "input"})),
    "",
    'Examples: "e12"; "Sign in"; {"role": "button", "name": "Save", "within": "Address"}; {"css": "#total"};',
    '{"label": "Card number", "frame": {"title": "Payment"}}; {"text": "draft", "exact": false, "nth": 0}.',
  ].join("\n");
}

function expect(): string {
  const leaves = z.toJSONSchema(leafConditionSchema, {io: "input"}).oneOf ?? [];
  const nests = conditionTypes.filter((type) => ["all", "any", "not"].includes(type));
  return [
    "expect on an action, and conditions of the operation expect, take one condition or a list of up to 8 that must all",
    "hold. It is waited for: up to expect_timeout_ms (timeout_ms of the operation expect), by events, not by the clock.",
    "A condition that cannot be proven either way is unknown, and never counts as held.",
    "",
    ...leaves.map(conditionLine),
    `- ${nests.join(", ")}: {"type": "any", "of": [condition, …]}; not takes one condition as of. At most 3 deep, 16 in all.`,
    "",
    'Example: {"type": "all", "of": [{"type": "url_contains", "value": "/done"}, {"type": "text_visible", "text": "Saved"}]}',
  ].join("\n");
}

function errors(): string {
  const rows: [string, ErrorRow][] = Object.entries(ERRORS);
  return [
    "error.code says exactly what was wrong, error.kind coarsely. recoverable: the same call may succeed later, and no",
    "input reached the page.",
    "",
    ...rows.map(
      ([code, row]) => `- ${code} (${row.kind}${row.recoverable ? ", recoverable" : ""}): ${row.hint}`,
    ),
  ].join("\n");
}

function results(): string {
  return [
    "Every operation answers with one ActionResult.",
    "",
    "- ok: it did what it says, and everything in expect held.",
    "- action.effect: what is known of the input itself. confirmed: the control's own state was read back, or the window",
    "  changed. unverifiable: delivered, with nothing to read back. suspected_noop: delivered, and the state is as before.",
    "  partial: only delivered_count of it. refused: nothing reached the page.",
    "- verification: whether what you expected held: passed, failed, unknown or not_checked, with one check a condition.",
    "- error: code, kind, message, hint, recoverable, and data such as candidates. Present exactly when ok is false.",
    "- data: what the operation answers with. page: URL and title afterwards. evidence: files that were written.",
    `- notes: what else happened: ${noteNames.join(", ")}.`,
    "",
    "ok: false with action.effect other than refused means that the input reached the page. Do not send it again; observe.",
  ].join("\n");
}

const fieldLines = (schema: JsonSchema): string[] =>
  fieldsOf(schema).map(([name, field]) => `- ${name}: ${field.description}`);

function conditionLine(leaf: JsonSchema): string {
  const required = new Set(leaf.required);
  const [type, ...fields] = fieldsOf(leaf);
  const parts = fields.map(([name, field]) => {
    // Most conditions speak of one element; saying so thirty times over would hide the rest.
    const described = name === "target" ? "" : ` (${field.description?.replace(/\.$/, "")})`;
    return `${name}${required.has(name) ? "" : "?"}${described}`;
  });
  return `- ${type?.[1].const}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`;
}
