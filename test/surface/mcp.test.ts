// The MCP server as a client meets it: the built bin, over stdio, with the SDK's own client and a real browser.
import {spawn} from "node:child_process";
import {existsSync, readdirSync} from "node:fs";
import {Client} from "@modelcontextprotocol/sdk/client/index.js";
import {StdioClientTransport} from "@modelcontextprotocol/sdk/client/stdio.js";
import {CallToolResultSchema} from "@modelcontextprotocol/sdk/types.js";
import {afterAll, beforeAll, describe, expect, test, vi} from "vitest";
import {toolsOf} from "../../bridge/mcp/tool.ts";
import {type ActionResult, actionResultSchema, brokenRules} from "../../shared/result.ts";
import {html} from "../support/pages.ts";
import {openWorld, type World} from "../support/world.ts";
import {bin, clean, exitOf, scratchHome, sessionsNow} from "./bin.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

interface Called {
  text: string;
  isError: boolean;
  images: {data: string; mimeType: string}[];
  result: ActionResult;
}

interface Caller extends AsyncDisposable {
  readonly client: Client;
  readonly pid: number | null;
  call(name: string, input?: Record<string, unknown>, signal?: AbortSignal): Promise<Called>;
}

async function mcpClient(
  args: string[] = [],
  env: Record<string, string> = {},
  name = "surface test",
): Promise<Caller> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp", ...args],
    env: {...clean(), ...env},
  });
  const client = new Client({name, version: "1.0"});
  await client.connect(transport);
  return {
    client,
    pid: transport.pid,
    async call(tool, input = {}, signal) {
      const answer = CallToolResultSchema.parse(
        await client.callTool(
          {name: tool, arguments: input},
          undefined,
          signal === undefined ? {} : {signal},
        ),
      );
      const result = actionResultSchema.parse(answer.structuredContent);
      expect(brokenRules(result)).toEqual([]);
      const [first, ...rest] = answer.content;
      return {
        text: first?.type === "text" ? first.text : "",
        isError: answer.isError === true,
        images: rest.flatMap((part) => (part.type === "image" ? [part] : [])),
        result,
      };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const form = `<label>Name <input id="name"></label><button id="save" onclick="out.textContent = 'Saved ' + document.getElementById('name').value">Save</button>
<button id="one">Twin</button><button id="two">Twin</button><p id="out"></p>`;

async function openForm(path: string): Promise<string> {
  world.pages.set(path, html(form, `Form ${path}`));
  await world.openInBackground(world.pages.url(path));
  return world.pages.url(path);
}

describe("before any bridge runs", () => {
  test("it says what it is, and lists its tools", async () => {
    await using home = await scratchHome();
    await using agent = await mcpClient([], {SUBLET_HOME: home.path});
    expect(agent.client.getServerVersion()?.name).toBe("sublet");
    expect(agent.client.getInstructions()).toContain("session_finalize");
    const {tools} = await agent.client.listTools();
    expect(tools.map(({name}) => name)).toEqual(toolsOf("default").map(({name}) => name));
    expect(JSON.stringify({tools}).length).toBeLessThan(16_000);
    expect(readdirSync(home.path)).toEqual([]);
  });

  test("wrong arguments and unknown tools are answered without one", async () => {
    await using home = await scratchHome();
    await using agent = await mcpClient([], {SUBLET_HOME: home.path});
    const unknown = await agent.call("clik");
    expect(unknown).toMatchObject({
      isError: true,
      result: {ok: false, error: {code: "unknown_operation", candidates: ["click"]}},
    });
    const wrong = await agent.call("click", {target: "e1", buton: "left"});
    expect(wrong).toMatchObject({isError: true, result: {error: {code: "invalid_arguments"}}});
    expect(wrong.text).toMatch(/^Failed: click: Unrecognized key: "buton"; it takes target,/);
    expect(existsSync(`${home.path}/state`)).toBe(false);
  });

  test("a SUBLET_SESSION that is none is an error, and no new session", async () => {
    await using home = await scratchHome();
    await using agent = await mcpClient([], {SUBLET_HOME: home.path, SUBLET_SESSION: "gone:token"});
    expect(await agent.call("tab_list")).toMatchObject({
      isError: true,
      result: {error: {code: "session_not_found"}},
    });
  });

  test.each(["all", "read"] as const)("--tools %s lists that set", async (set) => {
    await using home = await scratchHome();
    await using agent = await mcpClient(["--tools", set], {SUBLET_HOME: home.path});
    const {tools} = await agent.client.listTools();
    expect(tools.map(({name}) => name)).toEqual(toolsOf(set).map(({name}) => name));
  });
});

test("the main job: list, claim, observe, fill, click with an expectation, finalize", async () => {
  const url = await openForm("/main-job");
  await using agent = await mcpClient();
  const list = await agent.call("tab_list", {query: "main-job"});
  expect(list.result.data).toEqual([expect.objectContaining({url, active: false})]);
  expect(list.text).toContain(`"Form /main-job" ${url}`);

  const claim = await agent.call("tab_claim", {url, expected_title: "Form"});
  expect(claim).toMatchObject({isError: false, result: {ok: true, data: {lease: {origin: "user"}}}});
  const seen = await agent.call("observe");
  expect(seen.text).toMatch(/- button "Save" \[ref=e\d+]/);
  const ref = /- textbox "Name" \[ref=(e\d+)]/.exec(seen.text)?.[1];
  const filled = await agent.call("fill", {target: ref, value: "Ada"});
  expect(filled.result).toMatchObject({
    ok: true,
    action: {effect: "confirmed", evidence: [{kind: "value_readback"}]},
  });
  const clicked = await agent.call("click", {
    target: "Save",
    expect: {type: "text_visible", text: "Saved Ada"},
    observe: true,
  });
  expect(clicked.result).toMatchObject({ok: true, verification: {status: "passed"}});
  expect(clicked.text).toContain("Held: text_visible Saved Ada");
  const end = await agent.call("session_finalize");
  expect(end.result).toMatchObject({ok: true, data: {kept: [{as: "person"}], closed: [], failed: []}});

  // The session is over, and the client lives on: its next call begins another.
  const again = await agent.call("tab_list", {query: "main-job"});
  expect(again.result.ok).toBe(true);
  expect(again.result.session_id).not.toBe(end.result.session_id);
});

test("a screenshot comes as an image, and as a file", async () => {
  const url = await openForm("/picture");
  await using agent = await mcpClient();
  await agent.call("tab_claim", {url});
  const {images, result, text} = await agent.call("screenshot");
  const path = result.evidence?.[0]?.path ?? "";
  expect(existsSync(path)).toBe(true);
  expect(text).toContain(path);
  expect(images).toHaveLength(1);
  expect(
    Buffer.from(images[0]?.data ?? "", "base64")
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
});

describe("a failure", () => {
  test("is an error with candidates where nothing happened", async () => {
    const url = await openForm("/twins");
    await using agent = await mcpClient();
    await agent.call("tab_claim", {url});
    const {isError, text, result} = await agent.call("click", {target: "Twin", timeout_ms: 0});
    expect(result.error?.code).toBe("selector_ambiguous");
    expect(isError).toBe(true);
    expect(text).toMatch(/^Failed: [\s\S]*Candidates:\n {2}button "Twin" \[ref=e\d+][\s\S]*\nNext: Name one/);
  });

  test("is no error, and begins with what happened, where the input reached the page", async () => {
    const url = await openForm("/unexpected");
    await using agent = await mcpClient();
    await agent.call("tab_claim", {url});
    const expectation = {type: "text_visible", text: "Sent"};
    const {isError, text, result} = await agent.call("click", {
      target: "Save",
      expect: expectation,
      expect_timeout_ms: 50,
    });
    expect(result).toMatchObject({ok: false, error: {code: "expectation_failed", recoverable: false}});
    expect(isError).toBe(false);
    expect(text).toMatch(/^It happened, but: /);
  });
});

test("a call that the client cancels ends, and the next one is served", async () => {
  const url = await openForm("/cancel");
  await using agent = await mcpClient();
  await agent.call("tab_claim", {url});
  const controller = new AbortController();
  const conditions = {type: "text_visible", text: "never"};
  const waiting = agent.call("expect", {conditions, timeout_ms: 120_000}, controller.signal);
  const rejected = expect(waiting).rejects.toThrow();
  // The look is behind the wait in the same connection, so that once it is answered the wait has begun.
  await agent.call("find", {query: "Save"});
  controller.abort();
  await rejected;
  expect((await agent.call("click", {target: "Save"})).result.ok).toBe(true);
});

describe("the end of the client finalizes its session", () => {
  test.each(["stdin", "SIGTERM"] as const)("by %s", async (how) => {
    const url = await openForm(`/end-${how}`);
    const name = `ends by ${how}`;
    const agent = await mcpClient([], {}, name);
    await agent.call("tab_claim", {url});
    expect(await sessionsNow()).toContain(name);
    if (how === "SIGTERM" && agent.pid !== null) process.kill(agent.pid, "SIGTERM");
    else await agent.client.close();
    await vi.waitFor(async () => expect(await sessionsNow()).not.toContain(name), {timeout: 10_000});
    // The tab is free for another.
    await using next = await mcpClient();
    expect((await next.call("tab_claim", {url})).result.ok).toBe(true);
    await agent.client.close();
  });
});

test("standard output carries JSON-RPC and nothing else, and the process ends with its input", async () => {
  const server = spawn(process.execPath, [bin, "mcp"], {env: clean(), stdio: ["pipe", "pipe", "inherit"]});
  let out = "";
  server.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  const send = (message: object) => server.stdin.write(`${JSON.stringify({jsonrpc: "2.0", ...message})}\n`);
  const clientInfo = {name: "raw", version: "1"};
  send({id: 1, method: "initialize", params: {protocolVersion: "2025-06-18", capabilities: {}, clientInfo}});
  send({method: "notifications/initialized"});
  server.stdin.write("not JSON\n");
  send({id: 2, method: "tools/call", params: {name: "tab_list", arguments: {}}});
  send({id: 3, method: "tools/call", params: {name: "capabilities", arguments: {name: "nothing"}}});
  await vi.waitFor(() => expect(out.trim().split("\n")).toHaveLength(3), {timeout: 20_000});
  server.stdin.end();
  expect(await exitOf(server)).toBe(0);
  const lines = out
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(lines).toHaveLength(3);
  for (const line of lines)
    expect(line).toMatchObject({jsonrpc: "2.0", id: expect.any(Number), result: expect.anything()});
  expect(out).toContain('"code":"unknown_capability"');
});
