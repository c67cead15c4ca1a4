import {afterEach, beforeEach, describe, expect, test} from "vitest";
import {html} from "../support/pages.ts";
import {type Agent, openWorld, type World} from "../support/world.ts";

let world: World;
let agent: Agent;
beforeEach(async () => {
  world = await openWorld();
  agent = await world.agent("Ada's agent");
});
afterEach(() => world[Symbol.asyncDispose]());

const urls = () =>
  world.eyes.inWorker<string[]>(
    "chrome.tabs.query({}).then((tabs) => tabs.map((tab) => new URL(tab.url).pathname).sort())",
  );
/** Pages that the extension's debugger still holds: a command to one that it does not hold is refused. */
const held = () =>
  world.eyes.inWorker<string[]>(`chrome.tabs.query({}).then((tabs) => Promise.all(tabs.map((tab) =>
    chrome.debugger.sendCommand({tabId: tab.id}, "Page.getFrameTree").then(() => [tab.url], () => [])))).then((all) => all.flat())`);

describe("session_finalize", () => {
  test("the person's tab stays as it was, the agent's closes, a deliverable and a handoff are kept", async () => {
    for (const path of ["/one", "/two", "/three"]) world.pages.set(path, html(`<h1>${path}</h1>`, path));
    const mine = await world.lend(
      agent,
      "/mine",
      `<button id="go">Go</button><input id="i" aria-label="Name">`,
    );
    const before = await world.eyes.inPage(
      "/mine",
      "[document.documentElement.outerHTML.length, document.querySelectorAll('*').length].join()",
    );
    await agent.ok("click", {tab: mine, target: "Go"});
    await agent.ok("screenshot", {tab: mine});
    await agent.ok("tab_open", {url: world.pages.url("/one")});
    const two = await agent.ok("tab_open", {url: world.pages.url("/two")});
    const three = await agent.ok("tab_open", {url: world.pages.url("/three")});
    await agent.ok("tab_mark", {tab: two.data.tab_id, mark: "deliverable"});

    const {data} = await agent.ok("session_finalize", {keep: [{tab: three.data.tab_id, as: "handoff"}]});
    expect(data.closed).toHaveLength(1);
    expect(data.kept).toEqual(
      expect.arrayContaining([
        {tab_id: mine, as: "person"},
        {tab_id: two.data.tab_id, as: "deliverable"},
        {tab_id: three.data.tab_id, as: "handoff"},
      ]),
    );
    expect(data.failed).toEqual([]);
    expect(await urls()).toEqual(["/desk", "/mine", "/three", "/two"]);

    expect(await held()).toEqual([]);
    expect(
      await world.eyes.inPage(
        "/mine",
        "[document.documentElement.outerHTML.length, document.querySelectorAll('*').length].join()",
      ),
    ).toBe(before);
    expect(await world.eyes.inPage("/mine", "document.visibilityState")).toBe("hidden");
    const two_ = await world.eyes.inWorker(
      "chrome.tabs.query({url: '*://*/two'}).then(([tab]) => [tab.groupId, tab.mutedInfo.muted])",
    );
    expect(two_).toEqual([-1, false]);

    const after = await agent.run("tab_list", {});
    expect(after.error?.code).toBe("session_ended");

    const next = await world.agent("Next");
    const taken = await next.ok("tab_claim", {tab: three.data.tab_id});
    expect(taken.data.lease).toMatchObject({origin: "agent", state: "active"});
  });

  test("a client that closes cleanly has its session finalized", async () => {
    await world.lend(agent, "/mine", "<h1>Mine</h1>");
    world.pages.set("/one", html("<h1>One</h1>", "One"));
    await agent.ok("tab_open", {url: world.pages.url("/one")});
    await agent.close();
    expect(await urls()).toEqual(["/desk", "/mine"]);
    expect(await held()).toEqual([]);
  });
});

describe("the worker stopped in the middle of a session", () => {
  test("leases, refs and endings are there afterwards, and the next operation works", async () => {
    const tab = await world.lend(agent, "/mine", `<button id="go">Go</button>`);
    const gone = await world.lend(agent, "/gone", `<button id="go">Go</button>`);
    await agent.ok("tab_release", {tab: gone});
    const {data} = await agent.ok("find", {tab, target: "Go"});
    await world.eyes.stopWorker();
    const result = await agent.ok("click", {tab, target: data.matches[0]?.ref ?? ""});
    expect(result.tab_id).toBe(tab);
    expect(await world.eyes.inPage("/mine", `__count("click", "go")`)).toBe(1);
    expect((await agent.run("observe", {tab: gone})).error).toMatchObject({
      code: "page_released",
      details: {by: "release"},
    });
    const other = await world.agent("Other");
    expect((await other.run("tab_claim", {tab})).error?.code).toBe("already_claimed");
  });

  test("killed again and again between clicks, no click is lost and none comes twice", async () => {
    const tab = await world.lend(agent, "/count", `<button id="go">Go</button>`);
    let done = 0;
    let lost = 0;
    for (let round = 0; round < 6; round += 1) {
      const running = agent.run("click", {tab, target: "Go"});
      if (round % 2 === 0) await world.eyes.stopWorker();
      const result = await running;
      if (result.ok) done += 1;
      else if (result.error?.code === "command_lost") lost += 1;
      else expect(result).toMatchObject({ok: true});
    }
    const counted = await world.eyes.inPage<number>("/count", `__count("click", "go")`);
    expect(counted).toBeGreaterThanOrEqual(done);
    expect(counted).toBeLessThanOrEqual(done + lost);
  });
});

describe("session_list", () => {
  test("shows who holds what, and what they last did", async () => {
    const tab = await world.lend(agent, "/mine", `<button id="go">Go</button>`);
    await agent.ok("click", {tab, target: "Go"});
    const {data} = await agent.ok("session_list", {});
    expect(data).toMatchObject([
      {
        session: agent.sessionId,
        name: "Ada's agent",
        own: true,
        leases: [{tab_id: tab, origin: "user", last_action: 'click button "Go"'}],
      },
    ]);
  });
});
