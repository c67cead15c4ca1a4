// An operation is declared once, with defineOperation; every interface is derived from that one declaration.
import {z} from "zod";
import {expectSchema} from "./condition.ts";
import {type ErrorCode, SubletError} from "./errors.ts";
import {LIMITS} from "./limits.ts";
import {targetSchema} from "./target.ts";

export interface Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> {
  /** snake_case; the CLI turns _ into -. */
  readonly name: Name;
  /** Who runs it: the extension (browser side) or the bridge. */
  readonly where: "extension" | "bridge";
  readonly title: string;
  /** One or two sentences for a model or a person. */
  readonly description: string;
  /** read: looks only. act: may change the page or the browser. destroy: may lose something. */
  readonly effect: "read" | "act" | "destroy";
  readonly input: Input;
  /** The shape of `data` in its result. */
  readonly output: Output;
  /** The codes it may raise, beyond those that any operation may. */
  readonly errors: readonly ErrorCode[];
  /** Input fields that the CLI takes without a flag, in order. */
  readonly positional: readonly (keyof z.infer<Input> & string)[];
  readonly examples: readonly {readonly input: z.input<Input>; readonly says: string}[];
  /** In the default MCP tool set; others come with --tools all. */
  readonly mcp: boolean;
}

/** Declares one operation. An identity function: it is here for its types. */
export const defineOperation = <
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
>(
  operation: Operation<Name, Input, Output>,
): Operation<Name, Input, Output> => operation;

export type InputOf<Op extends Operation> = z.output<Op["input"]>;
/** What a caller may write: fields with a default may be left out. */
export type RawInputOf<Op extends Operation> = z.input<Op["input"]>;
export type OutputOf<Op extends Operation> = z.output<Op["output"]>;

/** One handler an operation, named and shaped by the registry: a missing, extra or wrong one does not compile. */
export type Handlers<Ops extends readonly Operation[], Context> = {
  [Op in Ops[number] as Op["name"]]: (input: InputOf<Op>, context: Context) => Promise<OutputOf<Op>>;
};

export const tabField = {
  tab: z
    .string()
    .min(1)
    .optional()
    .describe("The leased tab, such as t3. May be left out when the session has only one."),
};

export const browserField = {
  browser: z
    .string()
    .min(1)
    .optional()
    .describe("Which connected browser; only on a session's first operation."),
};

export const timeoutField = {
  timeout_ms: z
    .int()
    .min(0)
    .max(LIMITS.operationTimeoutMaxMs)
    .default(LIMITS.operationTimeoutMs)
    .describe("How long to keep trying until the input can be delivered; 0 is a single try."),
};

/** What every acting operation takes besides its own fields. */
export const actingFields = {
  ...tabField,
  ...timeoutField,
  expect: expectSchema
    .optional()
    .describe("What must hold afterwards: one condition or a list of up to 8; see capabilities expect."),
  expect_timeout_ms: z
    .int()
    .min(0)
    .max(LIMITS.operationTimeoutMaxMs)
    .default(LIMITS.expectTimeoutMs)
    .describe("How long expect may wait, counted from delivery."),
  approved: z.boolean().optional().describe("true when the person has agreed to this consequential action."),
  op_id: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Your own id; the same id again answers with the recorded result."),
  observe: z
    .boolean()
    .default(false)
    .describe("Also answer with what changed in the outline, in data.changes."),
};

/** The fields common to many operations; MCP explains them once, in the server's instructions. */
export const commonFieldNames: ReadonlySet<string> = new Set([
  ...Object.keys(actingFields),
  ...Object.keys(browserField),
]);

export const targetField = {
  target: targetSchema.describe("The element: a ref, a name or text, or an object."),
};

/**
 * Parses what a caller sent. A bad target is `invalid_target` or `missing_target`; anything else is
 * `invalid_arguments`, with each issue's path and what was expected there.
 */
export function parseInput<Op extends Operation>(operation: Op, given: unknown): InputOf<Op> {
  const raw = given ?? {};
  const parsed = parseDeep(operation.input, raw);
  if (parsed.success) return parsed.data as InputOf<Op>;
  const issues = parsed.error.issues.flatMap((issue) => plainIssues(issue));
  const known = Object.keys(operation.input.shape);
  const inTarget = parsed.error.issues.every((issue) => issue.path[0] === "target");
  if (inTarget && isRecord(raw) && raw.target === undefined) {
    throw new SubletError("missing_target", `${operation.name} needs a target`, {
      details: {issues, expected: known},
    });
  }
  if (inTarget && isRecord(raw)) {
    throw new SubletError(
      "invalid_target",
      `the target of ${operation.name} is malformed: ${words(issues)}`,
      {details: {issues}},
    );
  }
  const takes = issues.some((issue) => issue.path === "")
    ? `; it takes ${known.join(", ") || "nothing"}`
    : "";
  throw new SubletError("invalid_arguments", `${operation.name}: ${words(issues)}${takes}`, {
    details: {issues, expected: known},
  });
}

/** Input nested so deeply that the parser runs out of stack is the caller's mistake, like any other. */
function parseDeep<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  try {
    return schema.safeParse(raw);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new SubletError("invalid_arguments", "the arguments are nested too deeply");
  }
}

interface PlainIssue {
  path: string;
  expected: string;
}

/**
 * One zod issue as callers read it. A union's own message says nothing ("Invalid input"), so the issues of the branch
 * that came nearest stand in for it: the one that got past the value's type.
 */
function plainIssues(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): PlainIssue[] {
  const path = [...above, ...issue.path];
  const own = {path: path.join("."), expected: issue.message.replace(/^Invalid input: /, "")};
  if (issue.code !== "invalid_union") return [own];
  if (issue.errors.length === 0 && "options" in issue && Array.isArray(issue.options)) {
    return [{...own, expected: `expected one of ${issue.options.join(", ")}`}];
  }
  const branches = issue.errors.filter((errors) => errors.length > 0);
  const nearest = branches.find((errors) => !errors.some(isWrongType)) ?? branches[0] ?? [];
  const inner = nearest.flatMap((part) => plainIssues(part, path));
  return inner.length > 0 ? inner : [own];
}

const isWrongType = (issue: z.core.$ZodIssue): boolean =>
  issue.code === "invalid_type" && issue.path.length === 0;

const words = (issues: {path: string; expected: string}[]): string =>
  issues.map((issue) => (issue.path === "" ? issue.expected : `${issue.path}: ${issue.expected}`)).join("; ");

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
