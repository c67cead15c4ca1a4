import {describe, expect, it} from "vitest";
import {createResults} from "../../../../bridge/daemon/results.ts";
import {LIMITS} from "../../../../shared/limits.ts";
import {type ActionResult, succeed} from "../../../../shared/result.ts";

const result = (action_id: string, data: unknown): ActionResult =>
  succeed(
    {op: "observe", action_id, session_id: action_id.split("-")[0] ?? "", started_at_ms: 0, timeout_ms: 0},
    {data},
    1,
  );

describe("long results", () => {
  it("leaves a short one as it is, and one of exactly the limit", () => {
    const results = createResults();
    const short = result("s1-1", {text: "x"});
    expect(results.trimmed(short)).toBe(short);
    const limit = result("s1-2", "x".repeat(LIMITS.resultInlineBytes - 2));
    expect(results.trimmed(limit)).toBe(limit);
  });

  it("counts bytes and not letters", () => {
    const trimmed = createResults().trimmed(result("s1-1", "é".repeat(LIMITS.resultInlineBytes / 2)));
    expect(trimmed.data).toBeUndefined();
    expect(trimmed.notes).toEqual([
      {note: "result_kept_aside", result_id: "s1-1", total_chars: LIMITS.resultInlineBytes / 2 + 2},
    ]);
  });

  it("gives the parts back, never splitting a pair of surrogates", () => {
    const results = createResults();
    const data = "\u{1f600}".repeat(40_000);
    results.trimmed(result("s1-1", data));
    let text = "";
    for (let start: number | null = 0; start !== null; ) {
      const part = results.read("s1", "s1-1", start, 999);
      expect(part.text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
      text += part.text;
      start = part.next_start;
    }
    expect(JSON.parse(text)).toBe(data);
  });

  it("answers a start beyond the end with nothing more", () => {
    const results = createResults();
    results.trimmed(result("s1-1", "x".repeat(100_000)));
    expect(results.read("s1", "s1-1", 200_000, 10)).toEqual({
      text: "",
      complete: true,
      next_start: null,
      total_chars: 100_002,
    });
  });

  it("keeps another session out, and tells evicted from unknown", () => {
    const results = createResults(2);
    for (const id of ["s1-1", "s1-2", "s1-3"]) results.trimmed(result(id, "x".repeat(100_000)));
    const read = (session: string, id: string) => () => results.read(session, id, 0, 10);
    expect(read("s2", "s1-3")).toThrow(expect.objectContaining({code: "invalid_arguments"}));
    expect(read("s1", "nonsense")).toThrow(expect.objectContaining({code: "invalid_arguments"}));
    expect(read("s1", "s1-1")).toThrow(expect.objectContaining({code: "result_evicted"}));
    expect(results.read("s1", "s1-2", 0, 10)).toMatchObject({complete: false});
  });

  it("keeps longest what was read last", () => {
    const results = createResults(2);
    results.record(result("s1-1", 1));
    results.record(result("s1-2", 2));
    expect(results.recorded("s1", "s1-1")?.data).toBe(1);
    results.record(result("s1-3", 3));
    expect(results.recorded("s1", "s1-2")).toBeUndefined();
    expect(results.recorded("s1", "s1-1")?.data).toBe(1);
    expect(results.recorded("s2", "s1-1")).toBeUndefined();
  });
});
