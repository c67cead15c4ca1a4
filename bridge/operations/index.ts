// The operations that the bridge runs by itself, bound to the registry: a missing or extra handler does not compile.
import {SubletError} from "../../shared/errors.ts";
import type {BridgeHandlers} from "../../shared/operations/index.ts";
import type {Results} from "../daemon/results.ts";
import type {Session} from "../daemon/sessions.ts";
import type {DoctorFacts} from "../doctor/diagnose.ts";
import {doctorHandlers} from "./doctor.ts";
import {evidenceHandlers} from "./evidence.ts";
import {helpHandlers} from "./help.ts";

export interface BridgeContext {
  session: Session;
  signal: AbortSignal;
  results: Results;
  /** What the running bridge knows of itself. */
  bridge(): DoctorFacts["bridge"];
}

/** Runs one of the bridge's operations with parsed input; resolves with its data. */
export type BridgeRunner = (
  name: string,
  input: unknown,
  call: Pick<BridgeContext, "session" | "signal">,
) => Promise<unknown>;

const handlers = {
  ...evidenceHandlers,
  ...helpHandlers,
  ...doctorHandlers,
} satisfies BridgeHandlers<BridgeContext>;

export function createBridgeRunner(context: Pick<BridgeContext, "results" | "bridge">): BridgeRunner {
  return async (name, input, call) => {
    if (!isHandled(name))
      throw new SubletError("unknown_operation", `the bridge has no handler for "${name}"`);
    const handler: (input: never, context: BridgeContext) => Promise<unknown> = handlers[name];
    // The input was parsed with this operation's own schema, which the type system cannot follow by name.
    return handler(input as never, {...context, ...call});
  };
}

const isHandled = (name: string): name is keyof typeof handlers => Object.hasOwn(handlers, name);
