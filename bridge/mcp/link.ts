// The MCP server's connection to the bridge: made at the first call, made again when it was lost.
import {SubletError} from "../../shared/errors.ts";
import {type Connection, type ConnectOptions, connect} from "../client/connect.ts";
import {sessionIsOver} from "../run.ts";

export interface Link {
  /** The live connection. One attempt serves every call that waits for it. */
  connection(): Promise<Connection>;
  /** The session is over: the next call begins a new one. */
  renew(): Promise<void>;
  /** A clean end: finalizes the session. */
  close(): Promise<void>;
}

/**
 * @param client Asked at the first call, when the MCP client has said its name.
 * @param resume The session to take up, from SUBLET_SESSION.
 */
export function createLink(client: () => ConnectOptions["client"], resume: ConnectOptions["resume"]): Link {
  let session = resume;
  let current: Promise<Connection> | null = null;

  return {
    connection: () => (current ??= open()),
    async renew() {
      session = undefined;
      await close();
    },
    close,
  };

  async function close(): Promise<void> {
    const open = await current?.catch(() => null);
    current = null;
    await open?.close();
  }

  async function open(): Promise<Connection> {
    try {
      const name = client();
      const connection = await connect({
        session: "connection",
        ...(name && {client: name, sessionName: name.name}),
        ...(session && {resume: session}),
        ...(process.env.SUBLET_BROWSER && {browser: process.env.SUBLET_BROWSER}),
      });
      const {sessionId, token} = connection;
      if (sessionId !== null && token !== null) session = {session: sessionId, token};
      void connection.closed.then(() => {
        current = null;
      });
      return connection;
    } catch (thrown) {
      current = null;
      // The session is over. The agent is told so once; its next call begins a new one, with no tabs in it.
      if (thrown instanceof SubletError && sessionIsOver(thrown)) session = undefined;
      throw thrown;
    }
  }
}

/** The session and token of `name:token`, as SUBLET_SESSION gives them. A token holds no colon; a name may. */
export function parseSession(text: string | undefined): ConnectOptions["resume"] {
  if (text === undefined || text === "") return undefined;
  const colon = text.lastIndexOf(":");
  if (colon <= 0 || colon === text.length - 1) {
    throw new SubletError("session_not_found", "SUBLET_SESSION must read name:token");
  }
  return {session: text.slice(0, colon), token: text.slice(colon + 1)};
}
