// Chrome's own debugging protocol over its port: how the demo looks from the browser's side, and the floor that the
// bench measures against. Only browsers that a test, the demo or the bench started have such a port.
import {readFile} from "node:fs/promises";
import {join} from "node:path";
import type {ProtocolMapping} from "devtools-protocol/types/protocol-mapping.js";
import {WebSocket} from "ws";

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;
// What JSON.parse gives: Chrome's word is taken for it, since the protocol's types describe it.
type Json = ReturnType<typeof JSON.parse>;

export interface CdpSession {
  send<Method extends keyof Commands>(method: Method, ...params: Commands[Method]["paramsType"]): Promise<Commands[Method]["returnType"]>;
  /** Resolves at the next event of this name that the test holds for. */
  next<Name extends keyof Events>(name: Name, test?: (params: Events[Name][0]) => boolean): Promise<Events[Name][0]>;
  on<Name extends keyof Events>(name: Name, listener: (params: Events[Name][0]) => void): () => void;
  detach(): Promise<void>;
}

export interface Cdp extends CdpSession {
  attach(targetId: string): Promise<CdpSession>;
  close(): void;
}

/** @param profile A profile whose browser was started with --remote-debugging-port=0. */
export async function connectCdp(profile: string): Promise<Cdp> {
  const [port, path] = (await readFile(join(profile, "DevToolsActivePort"), "utf8")).split("\n");
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {perMessageDeflate: false, maxPayload: 256 * 1024 * 1024});
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const pending = new Map<number, (message: Json) => void>();
  const listeners = new Set<(message: Json) => void>();
  let lastId = 0;
  socket.on("message", (data) => {
    const message: Json = JSON.parse(String(data));
    if (message.id === undefined) for (const listener of [...listeners]) listener(message);
    else pending.get(message.id)?.(message);
  });
  socket.on("close", () => {
    for (const settle of pending.values()) settle({error: {message: "the browser has ended"}});
  });

  return {
    ...session(undefined),
    async attach(targetId) {
      const {sessionId} = await request("Target.attachToTarget", {targetId, flatten: true}, undefined);
      return session(sessionId);
    },
    close: () => socket.close(),
  };

  function session(sessionId: string | undefined): CdpSession {
    const on: CdpSession["on"] = (name, listener) => {
      const hear = (message: Json) => {
        if (message.method === name && message.sessionId === sessionId) listener(message.params);
      };
      listeners.add(hear);
      return () => void listeners.delete(hear);
    };
    return {
      on,
      send: (method, ...params) => request(method, params[0] ?? {}, sessionId),
      next: (name, test = () => true) =>
        new Promise((resolve) => {
          const stop = on(name, (params) => {
            if (!test(params)) return;
            stop();
            resolve(params);
          });
        }),
      async detach() {
        await request("Target.detachFromTarget", {sessionId}, undefined);
      },
    };
  }

  function request(method: string, params: object, sessionId: string | undefined): Promise<Json> {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      pending.set(id, (message) => {
        pending.delete(id);
        if (message.error === undefined) resolve(message.result);
        else reject(new Error(`${method}: ${message.error.message}`));
      });
      socket.send(JSON.stringify({id, method, params, ...(sessionId !== undefined && {sessionId})}));
    });
  }
}

/** The value of an expression; promises are awaited. */
export async function evaluate(session: CdpSession, expression: string, contextId?: number): Promise<unknown> {
  const {result, exceptionDetails} = await session.send("Runtime.evaluate", {
    expression,
    awaitPromise: true,
    returnByValue: true,
    ...(contextId !== undefined && {contextId}),
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
