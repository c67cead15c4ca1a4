// An ActionResult in words, for a model (MCP) and for a person (CLI): the outcome first, then what to do next.
import type {ErrorCode, ErrorKind} from "../shared/errors.ts";
import {operationNamed} from "../shared/operations/index.ts";
import {
  type ActionResult,
  type Check,
  happenedAnyway,
  type Note,
  type ResultError,
} from "../shared/result.ts";
import {dataText, inline, quoted} from "./data-text.ts";

/** A few lines that say what happened and what to do next. Never longer than the data that the operation answers with. */
export function textOf(result: ActionResult): string {
  const lines = [
    result.error === undefined ? outcome(result) : failure(result.error),
    ...(result.verification?.checks ?? []).map(checkLine),
    result.page === undefined ? "" : `Page: ${quoted(result.page.title)} ${result.page.url}`,
    ...(result.notes ?? []).map(noteLine),
    ...(result.evidence ?? []).map((file) => `File: ${file.path} (${file.mime}, ${file.bytes} bytes)`),
    result.error?.hint === undefined ? "" : `Next: ${result.error.hint}`,
    result.ok ? advice(result) : "",
    result.data === undefined ? "" : dataText(result.op, result.data),
  ];
  return lines.filter((line) => line !== "").join("\n");
}

function outcome(result: ActionResult): string {
  const title = operationNamed(result.op)?.title ?? result.op;
  const element = result.target?.element;
  const on = element === undefined ? "" : `: ${element.role} ${quoted(element.name)} [ref=${element.ref}]`;
  const tab = result.tab_id === undefined ? "" : ` in ${result.tab_id}`;
  return `Done: ${title.toLowerCase()}${on}${tab}${effectWords(result)}`;
}

/** What is known of the input, where there was one (contract 2.2). */
function effectWords({action}: ActionResult): string {
  if (action === undefined) return "";
  const readBack = action.evidence?.some((evidence) => evidence.kind === "value_readback");
  const words = {
    confirmed: readBack
      ? " (confirmed: the control's state was read back)"
      : " (confirmed: the window changed)",
    partial: ` (only ${action.delivery?.delivered_count ?? 0} delivered)`,
    unverifiable: " (delivered; the control has no state that could confirm it)",
    suspected_noop: " (delivered, but the control reads as before: it may have done nothing)",
    refused: "",
  };
  return words[action.effect];
}

/** What an agent should do after a success that proves nothing by itself. */
function advice({action, verification}: ActionResult): string {
  if (action === undefined || verification?.status === "passed") return "";
  if (action.effect === "suspected_noop") return "Next: observe before you try again.";
  return action.effect === "unverifiable"
    ? "Next: look for the outcome with observe or expect; do not repeat it."
    : "";
}

function failure(error: ResultError): string {
  const lines = [
    `${opening(error)}${error.message.replace(/\s*\n\s*/g, " ")} [${error.code}]`,
    named("Candidates", error.candidates),
    named("Available", error.available),
    named("Blocked by", error.blocker),
    named("Dialog", error.dialog),
    named("It was", error.was),
    named("It is now", error.now),
    named("State", error.state),
    named("Details", withoutIssues(error.details)),
  ];
  return lines.filter((line) => line !== "").join("\n");
}

/** The first words decide whether a model repeats the call, so what happened, or may have, says so at once (2.5). */
function opening(error: ResultError): string {
  if (error.code === ("result_evicted" satisfies ErrorCode)) return "It happened, but its result is gone: ";
  if (!happenedAnyway(error)) return "Failed: ";
  return error.kind === ("verification_failed" satisfies ErrorKind)
    ? "It happened, but: "
    : "It may have happened: ";
}

/** The issues of wrong arguments are in the message already. */
function withoutIssues(details: unknown): unknown {
  if (typeof details !== "object" || details === null || !("issues" in details)) return details;
  const {issues: _, ...rest} = details;
  return Object.keys(rest).length === 0 || "expected" in rest ? undefined : rest;
}

function named(label: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (!Array.isArray(value)) return `${label}: ${inline(value)}`;
  return value.length === 0 ? "" : [`${label}:`, ...value.map((item) => `  ${inline(item)}`)].join("\n");
}

function checkLine(check: Check): string {
  const word = {passed: "Held", failed: "Did not hold", unknown: "Not known"}[check.status];
  const {type, ...fields} = check.condition;
  const observed = check.observed === undefined ? "" : `; there was ${inline(check.observed)}`;
  const reason = check.reason === undefined ? "" : ` (${check.reason})`;
  const asked = Object.values(fields).map(inline).join(" ");
  return `${word}: ${`${type} ${asked}`.trim()}${reason}${check.status === "passed" ? "" : observed}`;
}

function noteLine({note, ...facts}: Note): string {
  const words = Object.entries(facts).map(([key, value]) => `${key} ${inline(value)}`);
  return `Note: ${note}${words.length === 0 ? "" : ` (${words.join(", ")})`}`;
}
