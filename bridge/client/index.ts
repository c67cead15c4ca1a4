// The public API of the package: `import {connect} from "sublet"`.
import {type Client, createClient} from "./client.ts";
import {type Connection, type ConnectOptions, connect as connectToBridge} from "./connect.ts";

/** A session in the person's browser: one method an operation, and what is known of the connection. */
export type Sublet = Client &
  Pick<Connection, "sessionId" | "token" | "bridgeVersion" | "close" | "closed"> & {
    [Symbol.asyncDispose](): Promise<void>;
  };

/**
 * Connects to this user's bridge, starts it when none runs, and opens a session, which `close` finalizes.
 *
 *     await using sublet = await connect({client: {name: "my script", version: "1"}});
 *     await sublet.tab_claim({active: true});
 *     const result = await sublet.click({target: "Save", expect: {type: "text_visible", text: "Saved"}});
 *
 * @throws SubletError when the bridge can't be reached or refuses the session.
 */
export async function connect(options?: ConnectOptions): Promise<Sublet> {
  const connection = await connectToBridge(options);
  const {sessionId, token, bridgeVersion, close, closed} = connection;
  return {
    ...createClient(connection),
    sessionId,
    token,
    bridgeVersion,
    close,
    closed,
    [Symbol.asyncDispose]: close,
  };
}

export type {Condition, Expect} from "../../shared/condition.ts";
export {ERRORS, type ErrorCode, type ErrorKind, SubletError} from "../../shared/errors.ts";
export type {Input, OperationName, Output, RawInput} from "../../shared/operations/index.ts";
export type {
  ActionResult,
  Check,
  EvidenceFile,
  Note,
  ResultError,
  Verification,
} from "../../shared/result.ts";
export type {Target} from "../../shared/target.ts";
export type {Client} from "./client.ts";
export type {ConnectOptions, RunOptions} from "./connect.ts";
