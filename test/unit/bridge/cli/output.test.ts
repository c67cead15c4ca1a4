// What a command prints, where, and the code that it ends with.
import {afterEach, beforeEach, describe, expect, it, vi} from "vitest";
import {exitCodeHelp, exitCodeOf} from "../../../../bridge/cli/exit.ts";
import {printable, printResult} from "../../../../bridge/cli/output.ts";
import {ERRORS, isErrorCode, SubletError} from "../../../../shared/errors.ts";
import {fail, succeed, toResultError} from "../../../../shared/result.ts";

const run = {op: "tab_list", action_id: "s1-1", session_id: "s1", started_at_ms: 0, timeout_ms: 0};
const done = succeed(run, {data: []}, 5);
const failed = fail(run, new SubletError("browser_unavailable", "no browser"), {}, 5);

const written = {out: "", err: ""};
beforeEach(() => {
  written.out = "";
  written.err = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.out += text;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.err += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

it("text of a success goes to standard output", () => {
  expect(printResult(done, {})).toBe(0);
  expect(written).toEqual({out: "Done: list tabs\nNo tabs.\n", err: ""});
});

it("text of a failure goes to standard error", () => {
  expect(printResult(failed, {})).toBe(1);
  expect(written.out).toBe("");
  expect(written.err).toMatch(/^Failed: no browser \[browser_unavailable]\nNext: Start the browser/);
});

it("JSON is the whole result, on standard output, failed or not", () => {
  printResult(failed, {json: true});
  expect(JSON.parse(written.out)).toEqual(failed);
  expect(written.err).toBe("");
});

it("what would move the terminal is shown, and not done", () => {
  expect(printable("a\u001b[31mred\u0007\u009b2J \u202etxt\n\tb é 😀")).toBe(
    "a\ufffd[31mred\ufffd\ufffd2J \ufffdtxt\n\tb é 😀",
  );
});

describe("exit codes", () => {
  it("are 0 only for a success", () => {
    expect(exitCodeOf(done)).toBe(0);
    for (const code of Object.keys(ERRORS).filter(isErrorCode)) {
      expect(exitCodeOf({error: toResultError(new SubletError(code, ""), false)}), code).not.toBe(0);
    }
  });

  it.each([
    ["command_failed", 1],
    ["invalid_arguments", 2],
    ["not_found", 3],
    ["timeout", 4],
    ["approval_required", 5],
    ["session_ended", 6],
    ["expectation_failed", 7],
    ["cancelled", 130],
  ] as const)("of %s is %i", (code, exit) => {
    expect(exitCodeOf({error: toResultError(new SubletError(code, ""), false)})).toBe(exit);
    expect(exitCodeHelp).toMatch(new RegExp(`^ +${exit} +\\S`, "m"));
  });

  it("of a kind that is not known is 1", () => {
    expect(exitCodeOf({error: {...toResultError(new SubletError("timeout", ""), false), kind: "new"}})).toBe(
      1,
    );
  });
});
