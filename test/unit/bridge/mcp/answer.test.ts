// A result as an MCP answer: whole, in words, with its picture, and an error only where a repeat would do no harm.
import {mkdtemp, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, beforeAll, expect, it} from "vitest";
import {toAnswer} from "../../../../bridge/mcp/answer.ts";
import {SubletError} from "../../../../shared/errors.ts";
import {LIMITS} from "../../../../shared/limits.ts";
import {type Action, type EvidenceFile, fail, succeed} from "../../../../shared/result.ts";

const run = (op: string) => ({op, action_id: "s1-1", session_id: "s1", started_at_ms: 0, timeout_ms: 0});
const sent: Action = {effect: "unverifiable", route: "trusted_input", delivery: {mode: "background"}};

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sublet-answer-"));
});
afterAll(() => rm(folder, {recursive: true}));

const screenshot = (path: string, bytes: number): EvidenceFile => ({
  kind: "screenshot",
  path,
  mime: "image/png",
  bytes,
});

it("carries the whole result", async () => {
  const result = succeed(run("tab_list"), {data: []}, 5);
  expect(await toAnswer(result)).toEqual({
    content: [{type: "text", text: "Done: list tabs\nNo tabs."}],
    structuredContent: result,
    isError: false,
  });
});

it("puts a screenshot in as an image", async () => {
  const path = join(folder, "a.png");
  await writeFile(path, "picture");
  const {content, structuredContent} = await toAnswer(
    succeed(run("screenshot"), {evidence: [screenshot(path, 7)]}, 5),
  );
  expect(content[1]).toEqual({
    type: "image",
    data: Buffer.from("picture").toString("base64"),
    mimeType: "image/png",
  });
  expect(JSON.stringify(structuredContent)).not.toContain(Buffer.from("picture").toString("base64"));
});

it("names a screenshot that is gone or too large, and does without its image", async () => {
  const path = join(folder, "b.png");
  await writeFile(path, "picture");
  for (const file of [
    screenshot(join(folder, "gone.png"), 7),
    screenshot(path, LIMITS.inlineImageBytes + 1),
  ]) {
    const {content, isError} = await toAnswer(succeed(run("screenshot"), {evidence: [file]}, 5));
    expect(content).toEqual([{type: "text", text: expect.stringContaining(file.path)}]);
    expect(isError).toBe(false);
  }
});

it.each([
  ["not_found", undefined, true, "Failed: "],
  ["unknown_operation", undefined, true, "Failed: "],
  ["expectation_failed", sent, false, "It happened, but: "],
  ["click_incomplete", sent, false, "It happened, but: "],
  ["command_lost", sent, false, "It may have happened: "],
] as const)("%s", async (code, action, isError, opening) => {
  const answer = await toAnswer(fail(run("click"), new SubletError(code, "what was wrong"), {action}, 5));
  expect(answer.isError).toBe(isError);
  expect(answer.content).toEqual([{type: "text", text: expect.stringMatching(`^${opening}what was wrong`)}]);
});
