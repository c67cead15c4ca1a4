// The page engine alone, in a headless Chromium: bundled once, put into an isolated world as the worker does it.
import {type Browser, type BrowserContext, type CDPSession, chromium, type Page} from "playwright-core";
import {build} from "vite";
import type {Answer, CallFrame, EngineCall, EngineCalls} from "../../extension/page/contract.ts";

export const world = "sublet";

export interface EnginePage extends AsyncDisposable {
  page: Page;
  cdp: CDPSession;
  /** The whole answer. */
  answer<Name extends EngineCall>(
    name: Name,
    request: EngineCalls[Name]["request"],
    frame?: CallFrame,
  ): Promise<Answer<EngineCalls[Name]["value"]>>;
  /** Its value. */
  call<Name extends EngineCall>(
    name: Name,
    request: EngineCalls[Name]["request"],
  ): Promise<EngineCalls[Name]["value"]>;
  /** Evaluates in the engine's world. */
  inWorld(expression: string): Promise<unknown>;
  /** The context of the engine's world, looked up again after a navigation. */
  contextId(): Promise<number>;
  /** Replaces the document: the engine is there before its first script. */
  goto(html: string): Promise<void>;
  /** Trusted mouse events at a point, pipelined: moved, pressed, released. */
  press(
    point: {x: number; y: number},
    options?: {button?: "left" | "right" | "middle"; count?: number},
  ): Promise<void>;
}

let bundled: Promise<string> | null = null;

export function engineSource(): Promise<string> {
  bundled ??= bundle();
  return bundled;
}

async function bundle(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: true,
      target: "chrome125",
      lib: {
        entry: new URL("../../extension/page/engine.ts", import.meta.url).pathname,
        formats: ["iife"],
        name: "_",
      },
    },
  });
  const [first] = Array.isArray(output) ? output : [output];
  const chunk = first !== undefined && "output" in first ? first.output[0] : undefined;
  if (chunk?.type !== "chunk") throw new Error("the engine did not bundle");
  return chunk.code;
}

let launched: Promise<Browser> | null = null;
let shared: Promise<BrowserContext> | null = null;

function browser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: "/usr/bin/chromium",
    headless: true,
    args: [
      "--no-sandbox",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-quic",
      "--disable-gpu",
    ],
  });
  return launched;
}

export async function closeBrowser(): Promise<void> {
  const open = launched;
  launched = null;
  shared = null;
  await (await open)?.close();
}

const origin = "http://engine.test/";

/** A page with the engine in it. `late`: the engine comes after the document's own scripts. */
export async function open(html: string, options: {late?: boolean} = {}): Promise<EnginePage> {
  const source = await engineSource();
  const context: BrowserContext = await (await browser()).newContext({
    viewport: {width: options.width ?? 1000, height: options.height ?? 700},
  });
  const page = await context.newPage();
  let content = html;
  await page.route(`${origin}**`, (route) =>
    route.fulfill({contentType: "text/html; charset=utf-8", body: content}),
  );
  const cdp = await context.newCDPSession(page);
  await cdp.send("Page.enable");
  await cdp.send("Emulation.setFocusEmulationEnabled", {enabled: true});
  const add = () =>
    cdp.send("Page.addScriptToEvaluateOnNewDocument", {source, worldName: world, runImmediately: true});
  if (options.late !== true) await add();
  await page.goto(origin);
  if (options.late === true) await add();
  let base = 0;

  const contextId = async (): Promise<number> => {
    const {frameTree} = await cdp.send("Page.getFrameTree");
    const {executionContextId} = await cdp.send("Page.createIsolatedWorld", {
      frameId: frameTree.frame.id,
      worldName: world,
    });
    return executionContextId;
  };
  let context_id = await contextId();

  const inWorld = async (expression: string): Promise<unknown> => {
    const {result, exceptionDetails} = await cdp.send("Runtime.evaluate", {
      expression,
      contextId: context_id,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };

  const answer = async <Name extends EngineCall>(
    name: Name,
    request: EngineCalls[Name]["request"],
    frame: CallFrame = {prefix: "", base},
  ): Promise<Answer<EngineCalls[Name]["value"]>> => {
    const given = (await inWorld(
      `sublet.call(${JSON.stringify(name)}, ${JSON.stringify(frame)}, ${JSON.stringify(request)})`,
    )) as Answer<EngineCalls[Name]["value"]>;
    base = given.base;
    return given;
  };

  return {
    page,
    cdp,
    answer,
    call: async (name, request) => (await answer(name, request)).value,
    inWorld,
    contextId,
    async goto(next) {
      content = next;
      await page.goto(origin);
      context_id = await contextId();
    },
    async press(point, {button = "left", count = 1} = {}) {
      const sent: Promise<unknown>[] = [];
      const mouse = (type: "mouseMoved" | "mousePressed" | "mouseReleased", clickCount = 0) =>
        sent.push(
          cdp.send("Input.dispatchMouseEvent", {
            type,
            ...point,
            button: type === "mouseMoved" ? "none" : button,
            clickCount,
          }),
        );
      mouse("mouseMoved");
      for (let click = 1; click <= count; click++) {
        mouse("mousePressed", click);
        mouse("mouseReleased", click);
      }
      await Promise.all(sent);
    },
    async [Symbol.asyncDispose]() {
      await page.close();
    },
  };
}

/** The outline as an agent reads it. */
export function textOf(outline: {lines?: {depth: number; text: string}[]}): string {
  return (outline.lines ?? []).map(({depth, text}) => `${"  ".repeat(depth)}- ${text}`).join("\n");
}

/** The value of an outcome that must have worked. */
export function worked<Value extends object>(outcome: Value): Exclude<Value, {failed: string}> {
  if ("failed" in outcome && outcome.failed !== undefined)
    throw new Error(`failed: ${JSON.stringify(outcome)}`);
  return outcome as Exclude<Value, {failed: string}>;
}
