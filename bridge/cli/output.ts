// Results on the terminal: text for a person, or the whole result as JSON for a program.
import type {ActionResult} from "../../shared/result.ts";
import {textOf} from "../text.ts";
import {exitCodeOf} from "./exit.ts";

/** Prints a result and returns the exit code for it. Text that tells of a failure goes to standard error. */
export function printResult(result: ActionResult, {json = false}: {json?: boolean}): number {
  if (json) printJson(result);
  else (result.ok ? process.stdout : process.stderr).write(`${printable(textOf(result))}\n`);
  return exitCodeOf(result);
}

export const printJson = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
};

/** Text of a page may hold what moves a terminal's cursor or colours; a person is shown that it was there. */
export const printable = (text: string): string =>
  text.replace(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
