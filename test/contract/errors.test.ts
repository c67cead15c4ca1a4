// The error table: every row says what to do, survives the wire, and is spelt nowhere else.
import {describe, expect, it} from "vitest";
import {ERRORS, type ErrorCode, isErrorCode, SubletError} from "../../shared/errors.ts";
import {fail, happenedAnyway, inputOperations, toResultError} from "../../shared/result.ts";

/** What a hint may begin with. A new one is added when it is a verb, and only then. */
const verbs = new Set(
  `Answer Ask Bring Check Choose Claim Close Connect Correct Dismiss Do Finalize Give Go Leave List Look Make Name
   Navigate Observe Only Read Respect Retry Run Say Send Start Stop Target Try Update Use Wait Work`.split(
    /\s+/,
  ),
);

const codes = Object.keys(ERRORS).filter(isErrorCode);

describe.each(codes)("%s", (code) => {
  const row = ERRORS[code];

  it("is spelt in snake_case", () => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  it("has a hint that begins with a verb and ends with a full stop", () => {
    expect(verbs).toContain(row.hint.split(/[\s:]/)[0]);
    expect(row.hint).toMatch(/\.$/);
  });

  it("survives the wire with its data", () => {
    const sent = new SubletError(code, "what happened", {candidates: ["a"], details: {reason: "because"}});
    const heard = SubletError.fromWire(JSON.parse(JSON.stringify(sent.toWire())));
    expect(heard).toMatchObject({code, message: "what happened", data: sent.data});
  });

  it("is a lawful result of an operation with input, and of one without", () => {
    for (const op of ["click", "tab_list"]) {
      const run = {op, action_id: "s1-1", session_id: "s1", started_at_ms: 0, timeout_ms: 0};
      const result = fail(run, new SubletError(code, "what happened"), {}, 1);
      expect(result).toMatchObject({
        ok: false,
        error: {code, kind: row.kind, family: row.family, hint: row.hint},
      });
      expect(result.action?.effect).toBe(inputOperations.has(op) ? "refused" : undefined);
    }
  });

  it("is recoverable only while no input reached the page", () => {
    expect(toResultError(new SubletError(code, ""), false).recoverable).toBe(row.recoverable);
    expect(toResultError(new SubletError(code, ""), true).recoverable).toBe(false);
  });
});

it("a code of a newer peer becomes command_failed, with the original kept", () => {
  const heard = SubletError.fromWire({code: "brand_new", message: "what happened", details: {more: 1}});
  expect(heard).toMatchObject({
    code: "command_failed",
    data: {details: {more: 1, original_code: "brand_new"}},
  });
});

it("data from a wire cannot say that it is recoverable, or of another kind", () => {
  const wire: {code: string; message: string} = JSON.parse(
    '{"code": "stopped_by_person", "message": "m", "recoverable": true, "kind": "timeout", "hint": "Go on."}',
  );
  const error = toResultError(SubletError.fromWire(wire), false);
  expect(error).toMatchObject({
    recoverable: false,
    kind: "permission_denied",
    hint: ERRORS.stopped_by_person.hint,
  });
});

it("whatever was thrown becomes one of ours, with its cause", () => {
  expect(SubletError.from(new TypeError("x is not a function"))).toMatchObject({code: "command_failed"});
  expect(SubletError.from("a string")).toMatchObject({code: "command_failed", message: "a string"});
  const own = new SubletError("timeout", "late");
  expect(SubletError.from(own)).toBe(own);
});

it("a client is told of a failure, save where the action happened or may have", () => {
  const told = codes.filter((code: ErrorCode) => happenedAnyway({kind: ERRORS[code].kind, code}));
  expect(told.sort()).toEqual(
    [
      "click_incomplete",
      "command_lost",
      "expectation_failed",
      "expectation_unknown",
      "value_rejected",
    ].sort(),
  );
});
