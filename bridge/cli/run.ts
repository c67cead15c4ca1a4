// One operation in the shell's session: take the session up again or begin one, run, and leave it open.
import {SubletError} from "../../shared/errors.ts";
import type {ActionResult} from "../../shared/result.ts";
import {type Connection, type ConnectOptions, connect} from "../client/connect.ts";
import {endsSession, runOperation, sessionIsOver} from "../run.ts";
import {VERSION} from "../version.ts";
import {
  chooseSession,
  forgetSession,
  keepSession,
  readSession,
  type SessionChoice,
  type StoredSession,
} from "./session.ts";

/** Never rejects. @param named What --session said. */
export async function runInSession(
  op: string,
  input: unknown,
  named: string | undefined,
): Promise<ActionResult> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once("SIGINT", interrupt);
  const choice = chooseSession(named, process.env.SUBLET_SESSION);
  let connection: Connection | undefined;
  try {
    const result = await runOperation(
      async () => (connection = await open(choice)),
      op,
      input,
      interrupted.signal,
    );
    if (endsSession(result) && choice.resume === undefined) await forgetSession(choice.name);
    return result;
  } finally {
    process.off("SIGINT", interrupt);
    await connection?.close();
  }
}

async function open(choice: SessionChoice): Promise<Connection> {
  const stored = choice.resume ?? readSession(choice.name);
  const connection = stored === null ? await begin(choice) : await takeUp(choice, stored);
  const {sessionId, token} = connection;
  const isNew = stored?.session !== sessionId || stored?.token !== token;
  if (choice.resume === undefined && isNew && sessionId !== null && token !== null) {
    await keepSession(choice.name, {session: sessionId, token});
  }
  return connection;
}

/** A stored session that is over is followed by a new one; one that the caller gave outright is not. */
async function takeUp(choice: SessionChoice, stored: StoredSession): Promise<Connection> {
  try {
    return await connect({...optionsOf(choice), resume: stored});
  } catch (thrown) {
    if (choice.resume !== undefined || !(thrown instanceof SubletError) || !sessionIsOver(thrown))
      throw thrown;
    return begin(choice);
  }
}

const begin = (choice: SessionChoice): Promise<Connection> => connect(optionsOf(choice));

const optionsOf = (choice: SessionChoice): ConnectOptions => ({
  client: {name: "sublet cli", version: VERSION},
  session: "shell",
  sessionName: choice.name,
  ...(process.env.SUBLET_BROWSER && {browser: process.env.SUBLET_BROWSER}),
});
