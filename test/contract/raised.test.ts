// Every error that the operations declare is made to happen by some test, for real, through the public interface.
import {expect, it} from "vitest";
import {ERRORS, type ErrorCode, isErrorCode} from "../../shared/errors.ts";
import {operations} from "../../shared/operations/index.ts";
import {pending} from "./pending.ts";
import {filesIn, readSource} from "./sources.ts";

/**
 * Where tests run against the whole system: a code counts as raised where one of them expects it. Those of the page
 * engine alone do not count, since no caller ever sees what it returns.
 */
const tests = ["test/browser", "test/cases", "test/surface", "test/faults"]
  .flatMap((folder) => filesIn(folder, /\.test\.ts$/))
  .filter((path) => !path.startsWith("test/browser/engine/"));
const text = tests.map(readSource).join("\n");

const declared = [...new Set(operations.flatMap(({errors}): readonly ErrorCode[] => errors))].sort();
const isRaised = (code: ErrorCode): boolean => new RegExp(`["']${code}["']`).test(text);

it("each code that an operation declares is raised by a test, or listed as pending", () => {
  expect(declared.filter((code) => !isRaised(code))).toEqual([...pending.declared].sort());
});

it("each other code of the table is raised by a test, or listed as pending", () => {
  const others = Object.keys(ERRORS)
    .filter(isErrorCode)
    .filter((code) => !declared.includes(code))
    .sort();
  expect(others.filter((code) => !isRaised(code))).toEqual([...pending.others].sort());
});
