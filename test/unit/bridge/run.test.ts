// One operation by name: checked before anything is started, and answered whatever happens.
import {describe, expect, it} from "vitest";
import {endsSession, nearestNames, type Runner, runOperation} from "../../../bridge/run.ts";
import {SubletError} from "../../../shared/errors.ts";
import {type ActionResult, brokenRules, succeed} from "../../../shared/result.ts";

const never = async (): Promise<Runner> => {
  throw new Error("it connected");
};
const failing = (error: SubletError) => async (): Promise<Runner> => ({
  runAny: async () => {
    throw error;
  },
});

describe("before it connects", () => {
  it("an unknown operation is answered with the nearest names", async () => {
    const result = await runOperation(never, "clik", {});
    expect(result.error).toMatchObject({
      code: "unknown_operation",
      candidates: ["click"],
      message: expect.stringContaining("click"),
    });
  });

  it("wrong arguments are answered", async () => {
    const result = await runOperation(never, "press", {key: "Enter", wait: 5});
    expect(result.error).toMatchObject({code: "invalid_arguments", message: expect.stringContaining("wait")});
    expect(result.action).toEqual({effect: "refused", route: "trusted_input"});
  });

  it("what keeps it from connecting is answered, and nothing reached the page", async () => {
    const result = await runOperation(never, "click", {target: "e1"});
    expect(result.error).toMatchObject({code: "command_failed", message: "it connected"});
    expect(result.action?.effect).toBe("refused");
  });
});

describe("once it was sent", () => {
  it("nobody says that nothing reached the page", async () => {
    for (const code of ["command_lost", "cancelled", "timeout"] as const) {
      const result = await runOperation(failing(new SubletError(code, "gone")), "click", {target: "e1"});
      expect(result).toMatchObject({error: {code, recoverable: false}, action: {effect: "unverifiable"}});
      expect(brokenRules(result)).toEqual([]);
    }
  });

  it("unless the channel knows that it never left", async () => {
    const error = new SubletError("command_lost", "closed", {details: {sent: false}});
    const result = await runOperation(failing(error), "click", {target: "e1"});
    expect(result.action?.effect).toBe("refused");
  });

  it("gets the input as it was written, and the caller's signal", async () => {
    const {signal} = new AbortController();
    const seen: unknown[] = [];
    const run = {op: "tab_list", action_id: "s1-1", session_id: "s1", started_at_ms: 0, timeout_ms: 0};
    const answer = succeed(run, {data: []}, 1);
    const runner: Runner = {
      runAny: async (...call) => {
        seen.push(call);
        return answer;
      },
    };
    expect(await runOperation(async () => runner, "tab_list", {query: "a"}, signal)).toBe(answer);
    expect(seen).toEqual([["tab_list", {query: "a"}, {signal}]]);
  });
});

it("a session ends with finalize, and when it is found to have ended", () => {
  const run = {op: "session_finalize", action_id: "s1-1", session_id: "s1", started_at_ms: 0, timeout_ms: 0};
  const finalized: ActionResult = succeed(run, {}, 1);
  const failed = (code: string): ActionResult => ({
    ...finalized,
    ok: false,
    error: {kind: "backend", code, family: "session", message: "", recoverable: false},
  });
  expect(endsSession(finalized)).toBe(true);
  expect(endsSession({...finalized, op: "tab_list"})).toBe(false);
  expect(endsSession(failed("tab_close_failed"))).toBe(false);
  expect(endsSession(failed("session_ended"))).toBe(true);
  expect(endsSession(failed("session_not_found"))).toBe(true);
});

it.each([
  ["tab-lst", ["tab_list"]],
  ["Click", ["click"]],
  ["finalize", ["session_finalize"]],
  ["xyzzy", []],
])("the nearest to %s", (name, expected) => {
  expect(nearestNames(name).slice(0, 1)).toEqual(expected);
});
