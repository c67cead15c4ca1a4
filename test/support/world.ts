// The whole of Sublet for one test file: a scratch home with its own bridge, a real Chromium with the built extension,
// pages, the person's eyes. Agents connect through the public client.
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {type Connection, type ConnectOptions, connect} from "../../bridge/client/connect.ts";
import {type LaunchedBrowser, launchBrowser} from "../../bridge/launch/launch.ts";
import type {OperationName, Output, RawInput} from "../../shared/operations/index.ts";
import {type ActionResult, brokenRules} from "../../shared/result.ts";
import {type Eyes, openEyes} from "./eyes.ts";
import {html, type Pages, servePages} from "./pages.ts";

export interface Agent {
  readonly connection: Connection;
  readonly sessionId: string;
  /** Runs one operation; its result has been held against the rules of the contract. */
  run<Name extends OperationName>(op: Name, input: RawInput<Name>): Promise<ActionResult<Output<Name>>>;
  /** The same, and a failure fails the test. */
  ok<Name extends OperationName>(
    op: Name,
    input: RawInput<Name>,
  ): Promise<ActionResult<Output<Name>> & {data: Output<Name>}>;
  close(): Promise<void>;
}

export interface World extends AsyncDisposable {
  readonly home: string;
  readonly browser: LaunchedBrowser;
  readonly eyes: Eyes;
  readonly pages: Pages;
  agent(name?: string, options?: ConnectOptions): Promise<Agent>;
  /** Serves a page, opens it as a background tab of the person's, and has the agent claim it. */
  lend(agent: Agent, path: string, body: string): Promise<string>;
  /** Opens a page as a background tab of the person's. */
  openInBackground(url: string): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const home = await mkdtemp(join(tmpdir(), "sublet-"));
  process.env.SUBLET_HOME = home;
  const pages = await servePages();
  pages.set("/desk", html("<h1>What the person looks at</h1>", "Desk"));
  const browser = await launchBrowser({
    headless: true,
    urls: [pages.url("/desk")],
    args: ["--remote-debugging-port=0"],
  });
  const eyes = await openEyes(browser.profile);
  const agents = new Set<Agent>();

  return {
    home,
    browser,
    eyes,
    pages,
    async agent(name = "test agent", options = {}) {
      const connection = await connect({client: {name, version: "1"}, ...options});
      const made: Agent = {
        connection,
        sessionId: connection.sessionId ?? "",
        async run(op, input) {
          const result = await connection.run(op, input);
          const broken = brokenRules(result);
          if (broken.length > 0) throw new Error(`${op}: ${broken.join("; ")}`);
          return result;
        },
        async ok(op, input) {
          const result = await made.run(op, input);
          if (!result.ok) throw new Error(`${op} failed: ${JSON.stringify(result, null, 1)}`);
          return result as typeof result & {data: NonNullable<typeof result.data>};
        },
        close: () => connection.close(),
      };
      agents.add(made);
      return made;
    },
    async lend(agent, path, body) {
      pages.set(path, html(body, `Page ${path}`));
      await openInBackground(pages.url(path));
      const {data} = await agent.ok("tab_claim", {url: pages.url(path)});
      return data.tab_id;
    },
    openInBackground,
    async [Symbol.asyncDispose]() {
      for (const agent of agents) await agent.close();
      eyes.close();
      await browser.stop();
      const last = await connect({session: "none", start: false});
      await last.shutdown();
      await last.close();
      await pages[Symbol.asyncDispose]();
      await rm(home, {recursive: true, force: true, maxRetries: 5});
    },
  };

  async function openInBackground(url: string): Promise<void> {
    await eyes.inWorker(`new Promise((resolve) => {
      const loaded = (id, change) => {
        if (id !== made.id || change.status !== "complete") return;
        chrome.tabs.onUpdated.removeListener(loaded);
        resolve();
      };
      let made = {};
      chrome.tabs.onUpdated.addListener(loaded);
      chrome.tabs.create({url: ${JSON.stringify(url)}, active: false}).then((tab) => { made = tab; });
    })`);
  }
}
