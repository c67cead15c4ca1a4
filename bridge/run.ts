// Runs one operation by name for the MCP server and the CLI, and answers with an ActionResult whatever happens.
import {type ErrorCode, SubletError} from "../shared/errors.ts";
import {type Operation, parseInput} from "../shared/operation.ts";
import {operationNamed, operations} from "../shared/operations/index.ts";
import {type ActionResult, fail, inputOperations, type RunFacts, succeed} from "../shared/result.ts";

/** The part of a client's connection that runs operations. */
export interface Runner {
  runAny(op: string, input: unknown, options?: {signal?: AbortSignal}): Promise<ActionResult>;
}

/**
 * Checks the input first, so that a misspelt argument is answered without starting a bridge; then connects and runs.
 * Never rejects: what stops an operation before it reaches the bridge becomes a result like any other.
 */
export async function runOperation(
  connect: () => Promise<Runner>,
  name: string,
  input: unknown,
  signal?: AbortSignal,
): Promise<ActionResult> {
  const startedAtMs = Date.now();
  let sent = false;
  try {
    parseInput(known(name), input);
    const connection = await connect().catch((thrown: unknown) => {
      if (name !== "doctor") throw thrown;
      return doctorWithoutBridge;
    });
    sent = true;
    return await connection.runAny(name, input, signal === undefined ? {} : {signal});
  } catch (thrown) {
    return failedHere(name, thrown, {startedAtMs, sent});
  }
}

/** What is wrong may be that no bridge can be reached, and that is when a doctor is asked for. */
const doctorWithoutBridge: Runner = {
  async runAny(op) {
    const startedAtMs = Date.now();
    const {diagnoseHere} = await import("./doctor/here.ts");
    return succeed(unattributed(op, startedAtMs), {data: await diagnoseHere()}, Date.now());
  },
};

/**
 * The result of an operation that failed on this side of the bridge: it has no action id, and no session yet.
 * Once it was sent, nobody here can say that nothing reached the page, so its input is not called refused.
 */
export function failedHere(
  op: string,
  thrown: unknown,
  {startedAtMs = Date.now(), sent = false} = {},
): ActionResult {
  const run = unattributed(op, startedAtMs);
  const error = SubletError.from(thrown);
  const reached = sent && error.data.details?.sent !== false && inputOperations.has(op);
  return fail(
    run,
    error,
    reached ? {action: {effect: "unverifiable", route: "trusted_input"}} : {},
    Date.now(),
  );
}

const unattributed = (op: string, startedAtMs: number): RunFacts => ({
  op,
  action_id: "none",
  session_id: "none",
  started_at_ms: startedAtMs,
  timeout_ms: 0,
});

/** The session is over after this: finalized, or found to have ended before. The next call needs a new one. */
export const endsSession = (result: ActionResult): boolean =>
  (result.op === "session_finalize" && result.ok) ||
  (result.error !== undefined && sessionIsOver(result.error));

export const sessionIsOver = ({code}: {code: string}): boolean =>
  code === ("session_not_found" satisfies ErrorCode) || code === ("session_ended" satisfies ErrorCode);

/** The operations whose names come nearest to a wrong one, best first. */
export function nearestNames(name: string): string[] {
  const wanted = name.toLowerCase().replaceAll("-", "_");
  const every: readonly Operation[] = operations;
  return every
    .map(({name: other}) => ({name: other, distance: distance(wanted, other)}))
    .filter(
      (candidate) => candidate.distance <= Math.max(2, wanted.length / 3) || candidate.name.includes(wanted),
    )
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map((candidate) => candidate.name);
}

function known(name: string): Operation {
  const operation = operationNamed(name);
  if (operation !== undefined) return operation;
  const near = nearestNames(name);
  const meant = near.length === 0 ? "" : `; nearest: ${near.join(", ")}`;
  throw new SubletError("unknown_operation", `there is no operation ${name}${meant}`, {candidates: near});
}

/** How many letters must change to make one word of the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({length: to.length + 1}, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const swapped = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
