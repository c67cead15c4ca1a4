// Conditions as callers write them: what parses, what is refused and why, and how a nest is put together.
import {describe, expect, it} from "vitest";
import {
  asConditions,
  type Condition,
  combine,
  conditionSchema,
  conditionTypes,
  expectSchema,
  leavesOf,
  targetsOf,
} from "../../../shared/condition.ts";

const saved: Condition = {type: "text_visible", text: "Saved"};
const done: Condition = {type: "url_contains", value: "/done"};
const nested = (depth: number): Condition => (depth === 0 ? saved : {type: "not", of: nested(depth - 1)});
const problemOf = (value: unknown): string =>
  conditionSchema
    .safeParse(value)
    .error?.issues.map(({message}) => message)
    .join("; ") ?? "";

it("there are 28 leaves and three ways to nest them, each once", () => {
  expect(conditionTypes).toHaveLength(31);
  expect(new Set(conditionTypes).size).toBe(31);
});

describe("what is refused", () => {
  it.each<[string, unknown, string]>([
    ["a type that nobody knows", {type: "url_is", value: "a"}, "discriminator"],
    ["a field that nobody knows", {...saved, txt: "a"}, "Unrecognized key"],
    ["empty text", {type: "text_visible", text: ""}, "Too small"],
    ["a broken regular expression", {type: "url_matches", value: "("}, "not a regular expression"],
    [
      "a broken regular expression inside a nest",
      {type: "not", of: {type: "url_matches", value: "["}},
      "not a regular",
    ],
    ["a count of nothing in particular", {type: "count", target: "row"}, "count needs equals, min or max"],
    ["a nest of none", {type: "all", of: []}, "Too small"],
    ["four deep", nested(4), "at most 3 deep"],
    [
      "seventeen in all",
      {
        type: "all",
        of: [
          {type: "any", of: Array(9).fill(saved)},
          {type: "any", of: Array(8).fill(saved)},
        ],
      },
      "at most 16 conditions",
    ],
  ])("%s", (_, value, words) => {
    expect(problemOf(value)).toContain(words);
  });
});

it("three deep and sixteen in all are taken", () => {
  expect(problemOf(nested(3))).toBe("");
  expect(problemOf({type: "all", of: Array(16).fill(saved)})).toBe("");
});

it("expect takes one or up to eight", () => {
  expect(expectSchema.safeParse(saved).success).toBe(true);
  expect(expectSchema.safeParse(Array(8).fill(saved)).success).toBe(true);
  expect(expectSchema.safeParse(Array(9).fill(saved)).success).toBe(false);
  expect(expectSchema.safeParse([]).success).toBe(false);
  expect(asConditions(saved)).toEqual([saved]);
  expect(asConditions([saved, done])).toEqual([saved, done]);
});

it("leaves come from left to right, and so do the findings that combine takes", () => {
  const nest: Condition = {type: "all", of: [saved, {type: "not", of: done}]};
  expect(leavesOf(nest)).toEqual([saved, done]);
  expect(combine(nest, [{status: "passed"}, {status: "failed"}]).status).toBe("passed");
  expect(combine(nest, [{status: "failed"}, {status: "passed"}]).status).toBe("failed");
});

it("the finding of a nest says what was there for each part", () => {
  const any: Condition = {type: "any", of: [saved, done]};
  expect(combine(any, [{status: "failed", observed: "Saving"}, {status: "failed"}])).toEqual({
    status: "failed",
    observed: ["Saving", "failed"],
  });
  expect(combine(any, [{status: "unknown", reason: "page_crashed"}, {status: "failed"}])).toMatchObject({
    status: "unknown",
    reason: "page_crashed",
  });
});

it("targets are found in target and in within", () => {
  expect(targetsOf({type: "checked", target: "I agree"})).toEqual(["I agree"]);
  expect(targetsOf({type: "text_visible", text: "a", within: {css: "main"}})).toEqual([{css: "main"}]);
  expect(targetsOf({type: "no_dialog"})).toEqual([]);
});
