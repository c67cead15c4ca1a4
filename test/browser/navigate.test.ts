import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {html} from "../support/pages.ts";
import {type Agent, openWorld, type World} from "../support/world.ts";

let world: World;
let agent: Agent;
beforeAll(async () => {
  world = await openWorld();
  agent = await world.agent();
});
afterAll(() => world[Symbol.asyncDispose]());

describe("navigate", () => {
  test("goes there in the background and answers with the status", async () => {
    world.pages.set("/there", html("<h1>There</h1>", "There"));
    world.pages.set("/missing", html("<h1>Missing</h1>", "Missing"), {status: 404});
    const tab = await world.lend(agent, "/here", "<h1>Here</h1>");
    for (const wait_until of ["commit", "dom", "load"] as const) {
      const result = await agent.ok("navigate", {tab, url: world.pages.url("/there"), wait_until});
      expect(result).toMatchObject({data: {status: 200}, page: {url: world.pages.url("/there")}});
      expect(result.action).toBeUndefined();
    }
    const missing = await agent.ok("navigate", {
      tab,
      url: world.pages.url("/missing"),
      expect: {type: "text_visible", text: "Missing"},
    });
    expect(missing).toMatchObject({data: {status: 404}, verification: {status: "passed"}});
    expect(await world.eyes.inWorker("chrome.tabs.query({active: true}).then(([tab]) => tab.title)")).toBe(
      "Desk",
    );
  });

  test("a page that Chrome cannot load says why", async () => {
    const tab = await world.lend(agent, "/start", "<h1>Start</h1>");
    const result = await agent.run("navigate", {tab, url: "http://127.0.0.1:9/"});
    expect(result.error).toMatchObject({
      code: "page_not_loaded",
      kind: "navigation_failed",
      details: {reason: expect.stringContaining("net::ERR")},
    });
  });

  test.each(["file:///etc/passwd", "javascript:document.title='x'", "chrome://version"])(
    "refuses %s before the browser sees it",
    async (url) => {
      const path = `/keep-${url.length}`;
      const tab = await world.lend(agent, path, "<h1>Keep</h1>");
      expect((await agent.run("navigate", {tab, url})).error?.code).toBe("invalid_url");
      expect(await world.eyes.inPage(path, "document.title")).toBe(`Page ${path}`);
    },
  );

  test("unsaved input is not lost without the person's word, and no dialog opens", async () => {
    world.pages.set("/away", html("<h1>Away</h1>", "Away"));
    const tab = await world.lend(
      agent,
      "/draft",
      `<input id="d" name="draft"><script>addEventListener("beforeunload", (event) => { if (d.value) event.preventDefault() })</script>`,
    );
    await agent.ok("fill", {tab, target: {css: "#d"}, value: "half a letter"});
    const refused = await agent.run("navigate", {tab, url: world.pages.url("/away")});
    expect(refused.error).toMatchObject({code: "unsaved_changes", details: {fields: ["draft"]}});
    expect(await world.eyes.inPage("/draft", "d.value")).toBe("half a letter");
    await agent.ok("navigate", {tab, url: world.pages.url("/away"), discard_changes: true});
    expect(await world.eyes.inWorker("chrome.tabs.query({active: true}).then(([tab]) => tab.title)")).toBe(
      "Desk",
    );
  });

  test("a page that never comes is a timeout", async () => {
    const tab = await world.lend(agent, "/patient", "<h1>Patient</h1>");
    const result = await agent.run("navigate", {tab, url: world.pages.url("/hang"), timeout_ms: 300});
    expect(result.error?.code).toBe("timeout");
  });
});
