// One method an operation, by the operation's own name, made from the registry.
import {type OperationName, type Output, operations, type RawInput} from "../../shared/operations/index.ts";
import type {ActionResult} from "../../shared/result.ts";
import type {Connection, RunOptions} from "./connect.ts";

/** `await client.click({target: "Save"})`: every operation, typed; the input may be left out where nothing is required. */
export type Client = {
  [Name in OperationName]: (
    ...args: Record<string, never> extends RawInput<Name>
      ? [input?: RawInput<Name>, options?: RunOptions]
      : [input: RawInput<Name>, options?: RunOptions]
  ) => Promise<ActionResult<Output<Name>>>;
};

/** The typed methods over a connection. */
export function createClient(connection: Pick<Connection, "runAny">): Client {
  const method =
    (name: string) =>
    (input: unknown = {}, options?: RunOptions) =>
      connection.runAny(name, input, options);
  // Built by name from the very list that the type is made from.
  return Object.fromEntries(operations.map(({name}) => [name, method(name)])) as Client;
}
