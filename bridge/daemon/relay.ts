// Runs one operation for a session, here or in its browser, and always answers with one ActionResult.
import {createHash} from "node:crypto";
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import {type Operation, parseInput} from "../../shared/operation.ts";
import {operationNamed} from "../../shared/operations/index.ts";
import type {RunParams} from "../../shared/protocol.ts";
import {
  type Action,
  type ActionResult,
  actionResultSchema,
  brokenRules,
  fail,
  inputOperations,
  type RunFacts,
  succeed,
} from "../../shared/result.ts";
import type {BridgeRunner} from "../operations/index.ts";
import {storeEvidence} from "./artifacts.ts";
import {type Browser, type Browsers, isNamed} from "./browsers.ts";
import type {Clock} from "./clock.ts";
import {deliver} from "./delivery.ts";
import type {Results} from "./results.ts";
import {hasEnded, type Session, type Sessions, sessionFacts} from "./sessions.ts";

export interface Relay {
  run(session: Session, op: string, input: unknown, signal: AbortSignal): Promise<ActionResult>;
  /**
   * Gives back what a session holds, when nobody is left to ask for it. Waits for its browser as long as that may hold
   * leases.
   * @throws SubletError
   */
  finalize(session: Session): Promise<void>;
}

export interface RelayOptions {
  clock: Clock;
  browsers: Browsers;
  sessions: Sessions;
  results: Results;
  /** The folder that evidence is written to. */
  artifacts: string;
  runHere: BridgeRunner;
  onSettled?: (result: ActionResult) => void;
}

/** A caller's own id for an operation, the action that it became, and what its arguments were. */
type OpId = Session["record"]["op_ids"][number];

interface Attempt {
  session: Session;
  operation: Operation | undefined;
  input: unknown;
  facts: RunFacts;
  signal: AbortSignal;
  progress: {sent: boolean};
}

export function createRelay(options: RelayOptions): Relay {
  const {clock, browsers, sessions, results} = options;
  const repeatable = new Map<string, OpId & {result: Promise<ActionResult>}>();

  return {
    run: (session, op, input, signal) =>
      sessions.during(session, async () => {
        const attempt = await begin(session, op, input, signal);
        const result = await settle(attempt, answer);
        options.onSettled?.(result);
        return result;
      }),
    async finalize(session) {
      if (session.record.install_id === null) return;
      const attempt = await begin(session, "session_finalize", {}, new AbortController().signal);
      const {error} = await send(attempt, session.record.install_id, clock.now() + LIMITS.bridgeGoneMs);
      if (error !== undefined)
        throw new SubletError("command_failed", `${session.record.id} was not finalized: ${error.message}`);
    },
  };

  async function begin(session: Session, op: string, input: unknown, signal: AbortSignal): Promise<Attempt> {
    const operation = operationNamed(op);
    const started_at_ms = clock.now();
    const facts = {
      op,
      action_id: await sessions.mint(session),
      session_id: session.record.id,
      started_at_ms,
      timeout_ms: timeoutOf(operation, input),
    };
    return {session, operation, input, facts, signal, progress: {sent: false}};
  }

  /** The one place where what was thrown becomes a result. */
  async function settle(
    attempt: Attempt,
    work: (attempt: Attempt) => Promise<ActionResult>,
  ): Promise<ActionResult> {
    try {
      return await work(attempt);
    } catch (thrown) {
      const reached = attempt.progress.sent && inputOperations.has(attempt.facts.op);
      return fail(
        attempt.facts,
        SubletError.from(thrown),
        reached ? {action: outcomeUnknown} : {},
        clock.now(),
      );
    }
  }

  async function answer(attempt: Attempt): Promise<ActionResult> {
    const {session, operation, facts} = attempt;
    if (session.ended) throw hasEnded(session.record.id);
    if (operation === undefined)
      throw new SubletError("unknown_operation", `there is no operation "${facts.op}"`);
    if (operation.where === "bridge") return answerHere(attempt, operation);
    const opId = textAt(attempt.input, "op_id");
    return opId === undefined ? answerThere(attempt) : answerOnce(attempt, opId);
  }

  async function answerHere(
    {session, input, facts, signal}: Attempt,
    operation: Operation,
  ): Promise<ActionResult> {
    const data = await options.runHere(operation.name, parseInput(operation, input), {session, signal});
    const result = succeed(facts, {data}, clock.now());
    // A part of a long result is never long enough to be set aside itself, whatever its letters take in bytes.
    return operation.name === "result_get" ? result : results.trimmed(result);
  }

  /** The same op_id again is the same operation: it is answered with the recorded result, and never run again. */
  async function answerOnce(attempt: Attempt, opId: string): Promise<ActionResult> {
    const {session, facts} = attempt;
    const print = fingerprint(facts.op, attempt.input);
    const running = repeatable.get(`${facts.session_id} ${opId}`);
    const known = running ?? session.record.op_ids.find((entry) => entry.op_id === opId);
    if (known !== undefined && known.print !== print) throw otherArguments(opId);
    if (running !== undefined) return running.result;
    if (known !== undefined) return recorded(session, known.op_id, known.action_id);
    const entry = {op_id: opId, action_id: facts.action_id, print};
    const result = runOnce(attempt, entry);
    repeatable.set(`${facts.session_id} ${opId}`, {...entry, result});
    return result;
  }

  /** Runs it under its op_id. What never left the bridge did not happen, and leaves the id free for another try. */
  async function runOnce(attempt: Attempt, entry: OpId): Promise<ActionResult> {
    const {session, progress} = attempt;
    const result = await settle(attempt, async () => {
      await sessions.rememberOpId(session, entry);
      return answerThere(attempt);
    });
    if (progress.sent) results.record(result);
    else await sessions.forgetOpId(session, entry.op_id);
    repeatable.delete(`${session.record.id} ${entry.op_id}`);
    return result;
  }

  function recorded(session: Session, opId: string, actionId: string): ActionResult {
    const result = results.recorded(session.record.id, actionId);
    if (result !== undefined) return result;
    throw new SubletError(
      "result_evicted",
      `op_id "${opId}" ran as ${actionId}, and its result is no longer kept`,
      {details: {action_id: actionId}},
    );
  }

  async function answerThere(attempt: Attempt): Promise<ActionResult> {
    const {session, operation} = attempt;
    const browser = await browserOf(attempt);
    sessions.pin(session, browser);
    const firstUntilMs = Math.max(clock.now() + LIMITS.browserAbsentWaitMs, browsers.expectedUntil());
    const result = results.trimmed(await send(attempt, browser, firstUntilMs));
    if (operation?.name === "session_finalize" && result.ok) sessions.end(session);
    return result;
  }

  async function send(
    {session, operation, input, facts, signal, progress}: Attempt,
    installId: string,
    firstUntilMs: number,
  ): Promise<ActionResult> {
    const params: RunParams = {
      session: sessionFacts(session),
      op: facts.op,
      input,
      action_id: facts.action_id,
      started_at_ms: facts.started_at_ms,
    };
    const effect = operation?.effect ?? "act";
    const budgetMs = facts.timeout_ms + expectTimeoutOf(operation, input);
    const raw = await deliver(
      {params, effect, installId, budgetMs, firstUntilMs, signal, progress},
      browsers,
      clock,
    );
    return storeEvidence(lawful(raw, facts), options.artifacts);
  }

  /** A session stays in the browser of its first operation. */
  async function browserOf({session, operation, input, signal}: Attempt): Promise<string> {
    const named =
      operation !== undefined && "browser" in operation.input.shape ? textAt(input, "browser") : undefined;
    const own = session.record.install_id;
    if (own === null) return (await browsers.choose(named ?? session.browser, signal)).install_id;
    const known: Browser | undefined = browsers.all().find((browser) => browser.install_id === own);
    if (named === undefined || known === undefined || isNamed(known, named)) return own;
    throw new SubletError(
      "invalid_arguments",
      `the session works in browser ${known.letter} ("${known.name}") already; only its first operation may name one`,
      {
        details: {issues: [{path: "browser", expected: known.letter}]},
      },
    );
  }
}

/** Its outcome is lost (2.2, rule 5). */
const outcomeUnknown: Action = {effect: "unverifiable", route: "trusted_input"};

const otherArguments = (opId: string): SubletError =>
  new SubletError("invalid_arguments", `op_id "${opId}" was used for another operation or other arguments`, {
    details: {issues: [{path: "op_id", expected: "an id of its own for each operation"}]},
  });

/** What the extension answered, if it is a result of this very operation and obeys the rules of results. */
function lawful(raw: unknown, facts: RunFacts): ActionResult {
  const parsed = actionResultSchema.safeParse(raw);
  if (!parsed.success)
    throw unlawful(
      facts,
      parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`),
    );
  const result = parsed.data;
  const broken = brokenRules(result);
  if (
    result.action_id !== facts.action_id ||
    result.op !== facts.op ||
    result.session_id !== facts.session_id
  ) {
    broken.push("it is the answer to another operation");
  }
  if (broken.length > 0) throw unlawful(facts, broken);
  return result;
}

const unlawful = (facts: RunFacts, broken: string[]): SubletError =>
  new SubletError(
    "command_failed",
    `the extension's answer to ${facts.op} breaks the contract: ${broken[0]}`,
    {details: {broken: broken.slice(0, 10)}},
  );

function timeoutOf(operation: Operation | undefined, input: unknown): number {
  return numberAt(input, "timeout_ms") ?? defaultOf(operation, "timeout_ms") ?? LIMITS.operationTimeoutMs;
}

function expectTimeoutOf(operation: Operation | undefined, input: unknown): number {
  if (!isRecord(input) || input.expect === undefined) return 0;
  return (
    numberAt(input, "expect_timeout_ms") ??
    defaultOf(operation, "expect_timeout_ms") ??
    LIMITS.expectTimeoutMs
  );
}

/** The default that an operation's schema gives a field. */
function defaultOf(operation: Operation | undefined, field: string): number | undefined {
  const parsed = operation?.input.shape[field]?.safeParse(undefined);
  return parsed?.success && typeof parsed.data === "number" ? parsed.data : undefined;
}

function numberAt(input: unknown, field: string): number | undefined {
  const value = isRecord(input) ? input[field] : undefined;
  return typeof value === "number" && value >= 0 && value <= LIMITS.operationTimeoutMaxMs ? value : undefined;
}

function textAt(input: unknown, field: string): string | undefined {
  const value = isRecord(input) ? input[field] : undefined;
  return typeof value === "string" && value !== "" && value.length <= 100 ? value : undefined;
}

/** The same for the same operation and arguments, in whatever order their fields come. */
const fingerprint = (op: string, input: unknown): string =>
  createHash("sha256")
    .update(
      `${op} ${JSON.stringify(input, (_, value: unknown) => (isRecord(value) ? sorted(value) : value))}`,
    )
    .digest("hex");

const sorted = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
