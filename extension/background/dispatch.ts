// One operation, from the bridge's request to its ActionResult: parse, stop and lease checks, journal, queue, handler,
// result. The boundary at which whatever was thrown becomes a result.
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import {type Operation, parseInput} from "../../shared/operation.ts";
import {extensionOperations} from "../../shared/operations/index.ts";
import {type RunParams, runParamsSchema} from "../../shared/protocol.ts";
import {type ActionResult, type Findings, fail, type RunFacts, succeed} from "../../shared/result.ts";
import {handlers} from "../operations/index.ts";
import {audit} from "./audit.ts";
import type {Context} from "./context.ts";
import {accept, entryOf, finish} from "./journal.ts";
import {leaseFor, leaseOn, save} from "./leases.ts";
import {inOrder} from "./queue.ts";
import {heardFrom} from "./sessions.ts";
import {isStopped} from "./stop.ts";

/** Operations that only look at the list of sessions or give tabs back: they work also when the person has stopped all. */
const allowedWhenStopped: ReadonlySet<string> = new Set(["session_list", "session_finalize", "tab_release"]);
/** These end things, so they do not wait behind what they end (security 4.6). */
const passesQueue: ReadonlySet<string> = new Set(["tab_release", "session_finalize", "dialog_answer"]);

const byName = new Map<string, Operation>(
  extensionOperations.map((operation) => [operation.name, operation]),
);

export async function dispatch(rawParams: unknown, signal: AbortSignal): Promise<ActionResult> {
  const params = runParamsSchema.parse(rawParams);
  const run: RunFacts = {
    op: params.op,
    action_id: params.action_id,
    session_id: params.session.id,
    started_at_ms: params.started_at_ms,
    timeout_ms: LIMITS.operationTimeoutMs,
  };
  const found: Context["found"] = {notes: []};
  const operation = byName.get(params.op);
  const acts = operation !== undefined && operation.effect !== "read";
  const recorded = acts ? recall(params, run) : null;
  if (recorded !== null) return recorded;
  const journaled = acts ? accept(params.action_id) : Promise.resolve();
  if (acts) audit({when: "before", run});
  const result = await perform(operation, params, run, found, signal, journaled);
  if (acts) {
    audit({when: "after", run, outcome: result});
    await finish(params.action_id, result);
    noteLastAction(result);
  }
  return result;
}

async function perform(
  operation: Operation | undefined,
  params: RunParams,
  run: RunFacts,
  found: Context["found"],
  signal: AbortSignal,
  journaled: Promise<void>,
): Promise<ActionResult> {
  try {
    if (operation === undefined)
      throw new SubletError("unknown_operation", `no operation is called ${params.op}`);
    if (isStopped() && !allowedWhenStopped.has(operation.name)) {
      throw new SubletError("stopped_by_person", "the person has stopped all agents");
    }
    const input = parseInput(operation, params.input);
    if (typeof input.timeout_ms === "number") run.timeout_ms = input.timeout_ms;
    const context: Context = {session: heardFrom(params.session), run, signal, journaled, found};
    // Bound by type in operations/index.ts: the handler of this name takes this operation's input.
    const handler = handlers[operation.name as keyof typeof handlers] as (
      input: unknown,
      context: Context,
    ) => Promise<unknown>;
    const work = () => handler(input, context);
    const tab = queueKey(operation, input, context);
    const data = tab === null ? await work() : await inOrder(tab, work, signal);
    return succeed(run, present(found, data), Date.now());
  } catch (thrown) {
    return fail(run, SubletError.from(thrown), found, Date.now());
  }
}

/** The tab whose queue an operation waits in; null for those that look only, end things, or have no tab yet. */
function queueKey(operation: Operation, input: Record<string, unknown>, context: Context): string | null {
  if (operation.effect === "read" || passesQueue.has(operation.name) || !("tab" in operation.input.shape))
    return null;
  if (operation.name === "tab_claim") return null;
  return leaseFor(context.session.id, typeof input.tab === "string" ? input.tab : undefined).handle;
}

/** What the journal answers for an action that was sent before; null when it is new. */
function recall(params: RunParams, run: RunFacts): ActionResult | null {
  const entry = entryOf(params.action_id);
  if (entry === undefined) return null;
  if (entry.state === "done" && entry.result !== undefined) return entry.result;
  const lost =
    entry.state === "evicted"
      ? new SubletError("result_evicted", "it happened, and its result was too long to keep")
      : new SubletError("command_lost", "it was begun, and the browser side restarted before it ended");
  const inputs: Findings = inputFindings(run.op);
  return fail(run, lost, inputs, Date.now());
}

/** The outcome of an input operation whose record is lost is unverifiable, not refused. */
const inputFindings = (op: string): Findings =>
  op in inputRoutes
    ? {
        action: {
          effect: "unverifiable",
          route: inputRoutes[op] ?? "trusted_input",
          delivery: {mode: "unknown"},
        },
      }
    : {};

const inputRoutes: Readonly<Record<string, "trusted_input" | "dom">> = {
  click: "trusted_input",
  fill: "trusted_input",
  press: "trusted_input",
  check: "trusted_input",
  select: "dom",
};

function present(found: Context["found"], data: unknown): Findings {
  const empty =
    typeof data === "object" && data !== null && Object.keys(data).length === 0 && !Array.isArray(data);
  return empty ? found : {...found, data};
}

function noteLastAction(result: ActionResult): void {
  const lease = result.tab_id === undefined ? undefined : leaseOn(result.tab_id);
  if (lease === undefined || lease.session !== result.session_id) return;
  const element = result.target?.element;
  lease.last_action = element === undefined ? result.op : `${result.op} ${element.role} "${element.name}"`;
  lease.last_action_ms = Date.now();
  save(lease);
}
