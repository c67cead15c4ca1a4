// The person's eyes and hands, and the browser's own word on what is so: raw CDP over the launched browser's debugging
// port. Playwright would turn focus emulation on by itself, and so hide the very thing that background tabs need.
import {readFile} from "node:fs/promises";
import {join} from "node:path";
import {WebSocket} from "ws";

type Params = Record<string, unknown>;

export interface Target {
  targetId: string;
  type: string;
  url: string;
  title: string;
}

export interface Eyes {
  send<Result = Params>(method: string, params?: Params, sessionId?: string): Promise<Result>;
  targets(): Promise<Target[]>;
  /** Evaluates in a page's own world. */
  inPage<Result>(urlPart: string, expression: string): Promise<Result>;
  /** Evaluates in the extension's service worker, where `chrome.*` is. */
  inWorker<Result>(expression: string): Promise<Result>;
  /** A CDP session on the page whose URL contains this. */
  attach(urlPart: string): Promise<string>;
  /**
   * Stops the extension's service worker, as Chrome does when it is idle, and then makes a tab event, which starts it
   * again: else the worker's own alarm would, half a minute later.
   */
  stopWorker(): Promise<void>;
  /** A tab opened as the person would: in front. */
  openTab(url: string): Promise<string>;
  close(): void;
}

interface Pending {
  resolve(value: Params): void;
  reject(error: Error): void;
}

export async function openEyes(profile: string): Promise<Eyes> {
  const socket = new WebSocket(await debuggerAddress(profile), {perMessageDeflate: false});
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const pending = new Map<number, Pending>();
  const sessions = new Map<string, string>();
  let lastId = 0;
  socket.on("message", (data) => {
    const message: {id?: number; result?: Params; error?: {message: string}} = JSON.parse(String(data));
    if (message.id === undefined) return;
    const waiting = pending.get(message.id);
    pending.delete(message.id);
    if (message.error !== undefined) waiting?.reject(new Error(message.error.message));
    else waiting?.resolve(message.result ?? {});
  });
  socket.on("close", () => {
    for (const waiting of pending.values()) waiting.reject(new Error("the browser has gone"));
  });

  const send = <Result>(method: string, params: Params = {}, sessionId?: string): Promise<Result> => {
    lastId += 1;
    const id = lastId;
    return new Promise<Params>((resolve, reject) => {
      pending.set(id, {resolve, reject});
      socket.send(JSON.stringify({id, method, params, ...(sessionId !== undefined && {sessionId})}));
    }) as Promise<Result>;
  };
  const targets = async () => (await send<{targetInfos: Target[]}>("Target.getTargets")).targetInfos;

  return {
    send,
    targets,
    attach,
    async inPage<Result>(urlPart: string, expression: string): Promise<Result> {
      return evaluate<Result>(await attach(urlPart), expression);
    },
    async inWorker<Result>(expression: string): Promise<Result> {
      return evaluate<Result>(await attachTo(await workerTarget()), expression);
    },
    async stopWorker() {
      const {targetId} = await workerTarget();
      sessions.delete(targetId);
      await send("Target.closeTarget", {targetId});
      const passing = await send<{targetId: string}>("Target.createTarget", {
        url: "about:blank",
        background: true,
      });
      await send("Target.closeTarget", {targetId: passing.targetId});
    },
    async openTab(url) {
      return (await send<{targetId: string}>("Target.createTarget", {url})).targetId;
    },
    close: () => socket.close(),
  };

  async function attach(urlPart: string): Promise<string> {
    const found = (await targets()).filter(
      (target) => target.type === "page" && target.url.includes(urlPart),
    );
    const [first] = found;
    if (first === undefined || found.length > 1)
      throw new Error(`${found.length} pages have ${urlPart} in their URL`);
    return attachTo(first);
  }

  async function attachTo({targetId}: Target): Promise<string> {
    const known = sessions.get(targetId);
    if (known !== undefined) return known;
    const {sessionId} = await send<{sessionId: string}>("Target.attachToTarget", {targetId, flatten: true});
    sessions.set(targetId, sessionId);
    return sessionId;
  }

  async function workerTarget(): Promise<Target> {
    const worker = (await targets()).find(
      (target) => target.type === "service_worker" && target.url.startsWith("chrome-extension://"),
    );
    if (worker === undefined) throw new Error("the extension's worker is not running");
    return worker;
  }

  async function evaluate<Result>(sessionId: string, expression: string): Promise<Result> {
    const answer = await send<{
      result: {value: Result};
      exceptionDetails?: {text: string; exception?: {description?: string}};
    }>("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true}, sessionId);
    if (answer.exceptionDetails !== undefined) {
      throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    }
    return answer.result.value;
  }
}

/** The browser writes its port and path there before its extension can have called in. */
async function debuggerAddress(profile: string): Promise<string> {
  const [port, path] = (await readFile(join(profile, "DevToolsActivePort"), "utf8")).trim().split("\n");
  return `ws://127.0.0.1:${port}${path}`;
}
