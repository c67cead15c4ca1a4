// ActionResult: what every operation returns, from every interface (contract 2.1 to 2.3), and the rules that hold
// between its parts. Results are made by `succeed` and `fail` here and nowhere else.
import {z} from "zod";
import {type Condition, conditionSchema} from "./condition.ts";
import {ERRORS, type ErrorCode, type ErrorKind, type SubletError} from "./errors.ts";

export const elementSchema = z.strictObject({
  ref: z.string().describe("Names the element in later calls."),
  role: z.string().describe("ARIA role."),
  name: z.string().describe("Accessible name."),
  tag: z.string().describe("Tag name, lower case."),
});
export type ElementFacts = z.infer<typeof elementSchema>;

export const foundTargetSchema = z.strictObject({
  element: elementSchema,
  strategy: z.string().describe("Which way of naming found it."),
  candidates: z.int().describe("How many matched before narrowing."),
});
export type FoundTarget = z.infer<typeof foundTargetSchema>;

export const pageFactsSchema = z.strictObject({url: z.string(), title: z.string()});
export type PageFacts = z.infer<typeof pageFactsSchema>;

export const effectSchema = z.enum(["confirmed", "partial", "unverifiable", "suspected_noop", "refused"]);
export const routeSchema = z.enum([
  "trusted_input",
  "dom",
  "synthetic_events",
  "accessibility",
  "global_input",
]);

/** What is known of the input itself. Closed: no selectors, coordinates or transport names. */
export const actionSchema = z.strictObject({
  effect: effectSchema,
  route: routeSchema,
  delivery: z
    .strictObject({
      mode: z.enum(["background", "foreground", "not_applicable", "unknown"]),
      delivered_count: z.int().min(0).optional(),
    })
    .optional(),
  evidence: z.array(z.strictObject({kind: z.enum(["value_readback", "window_change"])})).optional(),
  escalation: z
    .strictObject({
      target: z.enum(["pixel", "foreground", "page", "session"]),
      reason: z.enum([
        "route_unavailable",
        "delivery_failed",
        "effect_unconfirmed",
        "suspected_noop",
        "permission_required",
      ]),
    })
    .optional(),
});
export type Action = z.infer<typeof actionSchema>;

export const checkSchema = z.strictObject({
  condition: conditionSchema,
  status: z.enum(["passed", "failed", "unknown"]),
  observed: z.unknown().optional(),
  reason: z
    .enum([
      "target_missing",
      "multi_match",
      "frame_unreachable",
      "dialog_open",
      "page_crashed",
      "stability_unproven",
      "unsupported",
    ])
    .optional(),
});
export type Check = z.infer<typeof checkSchema>;

export const verificationSchema = z.strictObject({
  status: z.enum(["passed", "failed", "unknown", "not_checked"]),
  checks: z.array(checkSchema),
});
export type Verification = z.infer<typeof verificationSchema>;

export const evidenceFileSchema = z.strictObject({
  kind: z.enum(["screenshot", "pdf", "download", "report"]),
  path: z.string().describe("Where the file is, on the agent's own machine."),
  mime: z.string(),
  bytes: z.int().min(0),
  /** Set only between extension and bridge, which moves it to a file before anyone else sees the result. */
  base64: z.string().optional(),
});
export type EvidenceFile = z.infer<typeof evidenceFileSchema>;

export const noteNames = [
  "navigated",
  "url_changed",
  "dom_changed",
  "dialog_opened",
  "dialog_dismissed",
  "tab_opened",
  "tab_closed",
  "download_started",
  "scrolled_into_view",
  "ref_rebound",
  "retried",
  "waited_for_render",
  "person_active",
  "focus_restored",
  "popup_in_background",
  "fallback_route",
  "truncated",
  "tab_woken",
  "result_kept_aside",
] as const;

export const noteSchema = z.looseObject({note: z.enum(noteNames)});
export type Note = z.infer<typeof noteSchema>;

export const timingSchema = z.strictObject({
  started_at_ms: z.number().describe("Milliseconds since 1970."),
  duration_ms: z.number(),
  timeout_ms: z.number(),
});

export const errorSchema = z.looseObject({
  kind: z.string(),
  code: z.string(),
  family: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  recoverable: z.boolean(),
});
export type ResultError = z.infer<typeof errorSchema>;

export const actionResultSchema = z.strictObject({
  ok: z.boolean(),
  op: z.string(),
  action_id: z.string(),
  session_id: z.string(),
  tab_id: z.string().optional(),
  target: foundTargetSchema.optional(),
  page: pageFactsSchema.optional(),
  action: actionSchema.optional(),
  verification: verificationSchema.optional(),
  data: z.unknown().optional(),
  error: errorSchema.optional(),
  evidence: z.array(evidenceFileSchema).optional(),
  notes: z.array(noteSchema).optional(),
  timing: timingSchema,
});
export type ActionResult<Data = unknown> = Omit<z.infer<typeof actionResultSchema>, "data"> & {data?: Data};

/** The operations whose results carry `action`; all others answer with `data` alone. */
export const inputOperations: ReadonlySet<string> = new Set([
  "click",
  "hover",
  "drag",
  "scroll",
  "fill",
  "fill_form",
  "type",
  "press",
  "select",
  "check",
  "upload",
]);

/** What identifies one operation's run: the same in results, logs, journal, report and audit. */
export interface RunFacts {
  op: string;
  action_id: string;
  session_id: string;
  started_at_ms: number;
  timeout_ms: number;
}

/** What an operation found out, besides whether it failed. Empty parts are left out of the result. */
export interface Findings {
  tab_id?: string | undefined;
  target?: FoundTarget | undefined;
  page?: PageFacts | undefined;
  action?: Action | undefined;
  verification?: Verification | undefined;
  data?: unknown;
  evidence?: EvidenceFile[] | undefined;
  notes?: Note[] | undefined;
}

export function succeed(run: RunFacts, findings: Findings, nowMs: number): ActionResult {
  return lawful({ok: true, ...identity(run), ...present(findings), timing: timing(run, nowMs)});
}

export function fail(run: RunFacts, error: SubletError, findings: Findings, nowMs: number): ActionResult {
  const action = findings.action ?? (inputOperations.has(run.op) ? refusedAction() : undefined);
  const facts = {...findings, action};
  const reached = action !== undefined && action.effect !== "refused";
  return lawful({
    ok: false,
    ...identity(run),
    ...present(facts),
    error: toResultError(error, reached),
    timing: timing(run, nowMs),
  });
}

/** An operation that failed before any input: nothing reached the page (2.2, rule 5). */
export const refusedAction = (): Action => ({effect: "refused", route: "trusted_input"});

/** The error as results carry it. `recoverable` is the table's word and that no input reached the page. */
export function toResultError(error: SubletError, inputReachedPage: boolean): ResultError {
  const row = ERRORS[error.code];
  const own = {
    kind: row.kind,
    code: error.code,
    family: row.family,
    message: error.message,
    hint: row.hint,
    recoverable: row.recoverable && !inputReachedPage,
  };
  // Our own words last: data that came over a wire must not be able to say `recoverable: true`.
  return {...own, ...error.data, ...own};
}

/**
 * True when a client must not be told that the call failed: the action happened, or may have, and repeating it
 * would do it twice (2.5).
 */
export const happenedAnyway = (error: {kind: string; code: string}): boolean =>
  error.kind === ("verification_failed" satisfies ErrorKind) ||
  error.code === ("command_lost" satisfies ErrorCode);

/** The rules of 2.2 and 2.3 that a result breaks, in words; none when it is lawful. */
export function brokenRules(result: ActionResult): string[] {
  const broken: string[] = [];
  const {action, verification} = result;
  if (result.ok === (result.error !== undefined)) broken.push("error is present exactly when ok is false");
  if (
    result.ok &&
    verification !== undefined &&
    verification.status !== "passed" &&
    verification.status !== "not_checked"
  ) {
    broken.push("ok needs a verification that passed or was not asked for");
  }
  if (action !== undefined && !inputOperations.has(result.op)) broken.push(`${result.op} carries no action`);
  if (action === undefined && inputOperations.has(result.op)) broken.push(`${result.op} carries an action`);
  if (action?.effect === "confirmed" && (action.evidence ?? []).length === 0)
    broken.push("confirmed has evidence");
  if (action?.effect === "partial" && action.delivery?.delivered_count === undefined)
    broken.push("partial has delivered_count");
  if (action?.effect === "refused" && (action.delivery !== undefined || action.evidence !== undefined)) {
    broken.push("refused has neither delivery nor evidence");
  }
  if (action?.effect === "refused" && result.ok) broken.push("a refused action is not ok");
  if (result.error?.recoverable === true && action !== undefined && action.effect !== "refused") {
    broken.push("nothing is recoverable once input reached the page");
  }
  return broken;
}

/** A verification from its checks: any failed fails it, else any unknown leaves it unknown. */
export function verificationOf(checks: Check[]): Verification {
  if (checks.length === 0) return {status: "not_checked", checks};
  if (checks.some((check) => check.status === "failed")) return {status: "failed", checks};
  if (checks.some((check) => check.status === "unknown")) return {status: "unknown", checks};
  return {status: "passed", checks};
}

export const checkOf = (condition: Condition, finding: Omit<Check, "condition">): Check => ({
  condition,
  ...finding,
});

function lawful(result: ActionResult): ActionResult {
  const broken = brokenRules(result);
  if (broken.length > 0) throw new Error(`unlawful result of ${result.op}: ${broken.join("; ")}`);
  return result;
}

const identity = (run: RunFacts) => ({op: run.op, action_id: run.action_id, session_id: run.session_id});

const timing = (run: RunFacts, nowMs: number) => ({
  started_at_ms: run.started_at_ms,
  duration_ms: Math.max(0, Math.round((nowMs - run.started_at_ms) * 10) / 10),
  timeout_ms: run.timeout_ms,
});

/** Only the parts that say something: no undefined, no empty list. */
function present(findings: Findings): Omit<Findings, never> {
  const kept = Object.entries(findings).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  // `data` may well be an empty list (no tabs, no matches): that is an answer.
  if (Array.isArray(findings.data) && findings.data.length === 0) kept.push(["data", []]);
  return Object.fromEntries(kept) as Findings;
}
