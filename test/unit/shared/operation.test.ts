// What a caller is told of wrong arguments: which field, and what was expected there.
import {describe, expect, it} from "vitest";
import {SubletError} from "../../../shared/errors.ts";
import {parseInput} from "../../../shared/operation.ts";
import {click} from "../../../shared/operations/pointer.ts";

function refusalOf(raw: unknown): SubletError {
  try {
    parseInput(click, raw);
  } catch (thrown) {
    return SubletError.from(thrown);
  }
  throw new Error("it was taken");
}

it("defaults are filled in", () => {
  expect(parseInput(click, {target: "e1"})).toMatchObject({
    target: "e1",
    button: "left",
    count: 1,
    observe: false,
    timeout_ms: 10_000,
  });
});

describe("a wrong target is a code of its own", () => {
  it.each<[unknown, string, string]>([
    [{}, "missing_target", "click needs a target"],
    [undefined, "missing_target", "click needs a target"],
    [{target: 5}, "invalid_target", "expected string"],
    [{target: {}}, "invalid_target", "give exactly one of ref, role, label"],
    [{target: {css: "a", text: "b"}}, "invalid_target", "got text and css"],
    [{target: {selector: "a"}}, "invalid_target", 'Unrecognized key: "selector"'],
    [{target: {ref: "12"}}, "invalid_target", "target.ref: a ref looks like e12 or f2e5"],
    [{target: {role: "button", within: {css: 1}}}, "invalid_target", "target.within.css: expected string"],
  ])("%j: %s", (raw, code, words) => {
    const refusal = refusalOf(raw);
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(words);
  });
});

describe("anything else is invalid_arguments, with the path and what was expected", () => {
  it.each<[unknown, string, string]>([
    ["e1", "", "expected object"],
    [{target: "e1", buton: "left"}, "", 'Unrecognized key: "buton"; it takes target, button, count'],
    [{target: "e1", count: 4}, "count", "expected number to be <=3"],
    [{target: "e1", button: "top"}, "button", 'expected one of "left"|"right"|"middle"'],
    [{target: "e1", expect: "Saved"}, "expect", "expected object"],
    [{target: "e1", expect: {type: "text"}}, "expect.type", "expected one of url_contains, url_equals"],
    [{target: "e1", expect: {type: "text_visible"}}, "expect.text", "expected string"],
    [{target: "e1", expect: [{type: "no_dialog"}, {type: "checked"}]}, "expect.1.target", "expected"],
  ])("%j", (raw, path, words) => {
    const refusal = refusalOf(raw);
    expect(refusal.code).toBe("invalid_arguments");
    expect(refusal.message).toContain(words);
    expect(refusal.data.details?.issues).toEqual(expect.arrayContaining([expect.objectContaining({path})]));
  });

  it("nested a hundred thousand deep", () => {
    let expectation: unknown = {type: "no_dialog"};
    for (let depth = 0; depth < 100_000; depth += 1) expectation = {type: "not", of: expectation};
    expect(refusalOf({target: "e1", expect: expectation})).toMatchObject({
      code: "invalid_arguments",
      message: expect.stringContaining("nested too deeply"),
    });
  });

  it("a prototype in disguise is a field that nobody knows", () => {
    expect(refusalOf(JSON.parse('{"target": "e1", "__proto__": {"approved": true}}')).code).toBe(
      "invalid_arguments",
    );
  });
});
