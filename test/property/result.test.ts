// Results obey contract 2.2 and 2.3, whatever an operation found out; and every breach of a rule is noticed.
import fc from "fast-check";
import {describe, expect, it} from "vitest";
import {ERRORS, isErrorCode, SubletError} from "../../shared/errors.ts";
import {
  type Action,
  type ActionResult,
  actionResultSchema,
  brokenRules,
  type Findings,
  fail,
  inputOperations,
  type RunFacts,
  succeed,
  verificationOf,
} from "../../shared/result.ts";

const codes = Object.keys(ERRORS).filter(isErrorCode);
const op = fc.constantFrom(...inputOperations, "tab_list", "navigate", "observe", "expect");
const run: fc.Arbitrary<RunFacts> = fc.record({
  op,
  action_id: fc.constant("s1-1"),
  session_id: fc.constant("s1"),
  started_at_ms: fc.nat(1_000_000),
  timeout_ms: fc.nat(10_000),
});

const delivery = fc.record(
  {
    mode: fc.constantFrom("background", "foreground", "not_applicable", "unknown"),
    delivered_count: fc.nat(100),
  },
  {requiredKeys: ["mode"]},
);
const evidence = fc.array(fc.record({kind: fc.constantFrom("value_readback", "window_change")}), {
  minLength: 1,
  maxLength: 2,
});

/** Only what a handler may say: what the rules of 2.2 allow. */
const lawfulAction: fc.Arbitrary<Action> = fc.oneof(
  fc.record({effect: fc.constant("confirmed"), route: fc.constant("trusted_input"), delivery, evidence}),
  fc.record({
    effect: fc.constant("partial"),
    route: fc.constant("trusted_input"),
    delivery: fc.record({mode: fc.constant("background"), delivered_count: fc.nat(9)}),
  }),
  fc.record({effect: fc.constantFrom("unverifiable", "suspected_noop"), route: fc.constant("dom"), delivery}),
);
/** Anything that the schema lets through. */
const anyAction: fc.Arbitrary<Action> = fc.record(
  {
    effect: fc.constantFrom("confirmed", "partial", "unverifiable", "suspected_noop", "refused"),
    route: fc.constantFrom("trusted_input", "dom", "synthetic_events"),
    delivery,
    evidence: fc.oneof(evidence, fc.constant<NonNullable<Action["evidence"]>>([])),
  },
  {requiredKeys: ["effect", "route"]},
);

const check = fc.record({
  condition: fc.constant({type: "no_dialog"} as const),
  status: fc.constantFrom("passed", "failed", "unknown"),
});
const verification = fc.array(check, {maxLength: 4}).map(verificationOf);

const facts = fc.record(
  {
    tab_id: fc.constant("t3"),
    page: fc.record({url: fc.webUrl(), title: fc.string()}),
    data: fc.jsonValue(),
    notes: fc.array(fc.constant({note: "navigated"} as const), {maxLength: 2}),
    evidence: fc.constant<NonNullable<Findings["evidence"]>>([]),
  },
  {requiredKeys: []},
);

const error = fc
  .record({code: fc.constantFrom(...codes), message: fc.string()})
  .map(({code, message}) => new SubletError(code, message));

/** What a handler may report with an error; nothing at all is common, and means that no input was sent. */
const failed = fc
  .tuple(run, facts, fc.option(lawfulAction, {nil: undefined}), fc.option(verification, {nil: undefined}))
  .map(([run, facts, action, verification]) => ({
    run,
    findings: {
      ...facts,
      verification,
      action: inputOperations.has(run.op) ? action : undefined,
    } satisfies Findings,
  }));

it("a failure is lawful, whatever was found out, and survives the wire", () => {
  fc.assert(
    fc.property(failed, error, ({run, findings}, error) => {
      const result = fail(run, error, findings, run.started_at_ms + 5);
      expect(brokenRules(result)).toEqual([]);
      expect(actionResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(
        JSON.parse(JSON.stringify(result)),
      );
      expect(result.ok).toBe(false);
      // Rule 5: an operation with input that failed before any is refused.
      if (inputOperations.has(run.op) && findings.action === undefined)
        expect(result.action?.effect).toBe("refused");
      if (result.error?.recoverable) expect(result.action?.effect ?? "refused").toBe("refused");
    }),
  );
});

it("a success is lawful, or it is not made at all", () => {
  const success = fc.tuple(
    run,
    facts,
    fc.option(anyAction, {nil: undefined}),
    fc.option(verification, {nil: undefined}),
  );
  fc.assert(
    fc.property(success, ([run, facts, action, verification]) => {
      const findings: Findings = {...facts, action, verification};
      let result: ActionResult;
      try {
        result = succeed(run, findings, run.started_at_ms);
      } catch (thrown) {
        expect(String(thrown)).toContain("unlawful result");
        return;
      }
      expect(brokenRules(result)).toEqual([]);
      expect(result.error).toBeUndefined();
      expect(["passed", "not_checked", undefined]).toContain(result.verification?.status);
      expect(result.action !== undefined).toBe(inputOperations.has(run.op));
      expect(result.action?.effect).not.toBe("refused");
    }),
  );
});

it("parts that say nothing are left out, but an empty list of data is an answer", () => {
  fc.assert(
    fc.property(run, facts, (run, facts) => {
      if (inputOperations.has(run.op)) return;
      const result = succeed(run, {...facts, notes: [], evidence: [], tab_id: undefined}, run.started_at_ms);
      expect(result).not.toHaveProperty("notes");
      expect(result).not.toHaveProperty("evidence");
      expect(result).not.toHaveProperty("tab_id");
      expect(result.data).toEqual(facts.data);
      expect(succeed(run, {data: []}, 1).data).toEqual([]);
    }),
  );
});

describe("each rule is noticed when it alone is broken", () => {
  const base: ActionResult = {
    ok: true,
    op: "click",
    action_id: "s1-1",
    session_id: "s1",
    action: {effect: "unverifiable", route: "trusted_input", delivery: {mode: "background"}},
    timing: {started_at_ms: 0, duration_ms: 0, timeout_ms: 0},
  };
  const route = "trusted_input" as const;
  const problem = {
    kind: "timeout",
    code: "timeout",
    family: "actionability",
    message: "",
    recoverable: false,
  };
  const breaches: [string, ActionResult][] = [
    ["error is present exactly when ok is false", {...base, error: problem}],
    ["error is present exactly when ok is false", {...base, ok: false}],
    ["ok needs a verification", {...base, verification: {status: "failed", checks: []}}],
    ["ok needs a verification", {...base, verification: {status: "unknown", checks: []}}],
    ["tab_list carries no action", {...base, op: "tab_list"}],
    ["click carries an action", omitAction(base)],
    ["confirmed has evidence", {...base, action: {effect: "confirmed", route}}],
    ["confirmed has evidence", {...base, action: {effect: "confirmed", route, evidence: []}}],
    [
      "partial has delivered_count",
      {...base, action: {effect: "partial", route, delivery: {mode: "background"}}},
    ],
    [
      "refused has neither delivery nor evidence",
      {
        ...base,
        ok: false,
        error: problem,
        action: {effect: "refused", route, delivery: {mode: "background"}},
      },
    ],
    [
      "refused has neither delivery nor evidence",
      {
        ...base,
        ok: false,
        error: problem,
        action: {effect: "refused", route, evidence: [{kind: "window_change"}]},
      },
    ],
    ["a refused action is not ok", {...base, action: {effect: "refused", route}}],
    [
      "nothing is recoverable once input reached the page",
      {...base, ok: false, error: {...problem, recoverable: true}},
    ],
  ];

  it("the base breaks none", () => {
    expect(brokenRules(base)).toEqual([]);
  });

  it.each(breaches)("%s (%#)", (rule, result) => {
    expect(brokenRules(result)).toEqual([expect.stringContaining(rule)]);
  });

  function omitAction({action: _, ...rest}: ActionResult): ActionResult {
    return rest;
  }
});

it("a verification is as good as its worst check", () => {
  fc.assert(
    fc.property(fc.array(check, {maxLength: 6}), (checks) => {
      const {status} = verificationOf(checks);
      const statuses = new Set(checks.map((one) => one.status));
      if (statuses.has("failed")) expect(status).toBe("failed");
      else if (statuses.has("unknown")) expect(status).toBe("unknown");
      else expect(status).toBe(checks.length === 0 ? "not_checked" : "passed");
    }),
  );
});
