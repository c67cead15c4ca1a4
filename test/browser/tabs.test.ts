import {afterAll, beforeAll, describe, expect, test} from "vitest";
import type {RawInput} from "../../shared/operations/index.ts";
import {html} from "../support/pages.ts";
import {type Agent, openWorld, type World} from "../support/world.ts";

let world: World;
let agent: Agent;
beforeAll(async () => {
  world = await openWorld();
  agent = await world.agent("Ada's agent");
  for (const [path, title] of [
    ["/mail", "Inbox"],
    ["/bank", "Accounts"],
    ["/shop/1", "Cart one"],
    ["/shop/2", "Cart two"],
  ] as const) {
    world.pages.set(path, html(`<button id="go">Go</button>`, title));
    await world.openInBackground(world.pages.url(path));
  }
});
afterAll(() => world[Symbol.asyncDispose]());

/** What Chrome itself says of its tabs. */
const chromeTabs = () =>
  world.eyes.inWorker<{url: string; active: boolean; muted: boolean; group: number; index: number}[]>(
    "chrome.tabs.query({}).then((tabs) => tabs.map((tab) => ({url: tab.url, active: tab.active, muted: tab.mutedInfo.muted, group: tab.groupId, index: tab.index})))",
  );
const chromeTab = async (part: string) => (await chromeTabs()).find((tab) => tab.url.includes(part));
const attached = () =>
  world.eyes.inWorker<number>(
    "chrome.debugger.getTargets().then((all) => all.filter((t) => t.attached && t.type === 'page').length)",
  );

describe("tab_list", () => {
  test("lists the person's tabs with short handles, and says which is shown", async () => {
    const {data} = await agent.ok("tab_list", {scope: "person"});
    expect(data.map((tab) => tab.title).sort()).toEqual([
      "Accounts",
      "Cart one",
      "Cart two",
      "Desk",
      "Inbox",
    ]);
    expect(data.every((tab) => /^t\d+$/.test(tab.tab_id))).toBe(true);
    expect(data.filter((tab) => tab.active).map((tab) => tab.title)).toEqual(["Desk"]);
  });

  test("searches, limits and says what it left out", async () => {
    const found = await agent.ok("tab_list", {query: "cart"});
    expect(found.data.map((tab) => tab.title).sort()).toEqual(["Cart one", "Cart two"]);
    const cut = await agent.ok("tab_list", {limit: 1});
    expect(cut.data).toHaveLength(1);
    expect(cut.notes).toContainEqual({note: "truncated", what: "tabs", total: 5, shown: 1});
  });

  test("nothing is attached by listing", async () => {
    await agent.ok("tab_list", {});
    // Our own eyes are a debugger too, so what counts is that the list changed nothing.
    const before = await attached();
    await agent.ok("tab_list", {scope: "all"});
    expect(await attached()).toBe(before);
  });
});

describe("tab_claim", () => {
  test("leases the tab and leaves it where and as it was", async () => {
    const before = await chromeTab("/mail");
    await world.eyes.inPage("/mail", "window.mark = 1");
    const {data} = await agent.ok("tab_claim", {title: "Inbox", expected_url: "/mail"});
    await agent.ok("observe", {tab: data.tab_id});
    expect(data.lease).toMatchObject({
      session: agent.sessionId,
      session_name: "Ada's agent",
      origin: "user",
      state: "active",
    });
    expect(await chromeTab("/mail")).toEqual(before);
    expect(await world.eyes.inPage("/mail", "window.mark")).toBe(1);
    await agent.ok("tab_release", {tab: data.tab_id});
  });

  const failures: [name: string, input: RawInput<"tab_claim">, code: string][] = [
    ["no such tab", {url: "/nowhere"}, "claim_not_found"],
    ["two match", {url: "/shop"}, "claim_ambiguous"],
    ["the url is another", {title: "Inbox", expected_url: "/bank"}, "claim_identity_mismatch"],
    ["the title is another", {url: "/mail", expected_title: "Accounts"}, "claim_identity_mismatch"],
    ["a handle that never was", {tab: "t999"}, "claim_not_found"],
    ["nothing named", {}, "invalid_arguments"],
    ["two ways at once", {tab: "t1", active: true}, "invalid_arguments"],
  ];
  test.each(failures)("fails closed: %s", async (_name, input, code) => {
    const result = await agent.run("tab_claim", input);
    expect(result.error?.code).toBe(code);
    expect((await agent.ok("tab_list", {scope: "session"})).data).toEqual([]);
    if (code === "claim_ambiguous") expect(result.error?.candidates).toHaveLength(2);
  });

  test("never lends a page of the browser's own", async () => {
    await world.eyes.inWorker(
      "chrome.tabs.create({url: 'chrome://version', active: false}).then(() => true)",
    );
    const result = await agent.run("tab_claim", {url: "chrome://version"});
    expect(result.error).toMatchObject({code: "claim_not_allowed", kind: "permission_denied"});
  });

  test("the person's active tab can be named as such", async () => {
    const {data} = await agent.ok("tab_claim", {active: true, expected_title: "Desk"});
    expect(data.title).toBe("Desk");
    await agent.ok("tab_release", {});
  });

  test("a second session gets already_claimed with the holder's name", async () => {
    const {data} = await agent.ok("tab_claim", {url: "/bank"});
    const other = await world.agent("Bob's agent");
    const result = await other.run("tab_claim", {tab: data.tab_id});
    expect(result.error).toMatchObject({code: "already_claimed", details: {session_name: "Ada's agent"}});
    const intruding = await other.run("click", {tab: data.tab_id, target: "Go"});
    expect(intruding).toMatchObject({error: {code: "page_not_in_session"}, action: {effect: "refused"}});
    expect(await world.eyes.inPage("/bank", "__record")).toEqual([]);
    await other.close();
    await agent.ok("tab_release", {});
  });
});

describe("which tab", () => {
  test("with two tabs and none named nothing is touched", async () => {
    const one = await agent.ok("tab_claim", {url: "/shop/1"});
    const two = await agent.ok("tab_claim", {url: "/shop/2"});
    const result = await agent.run("click", {target: "Go"});
    expect(result).toMatchObject({
      error: {
        code: "ambiguous_tab_target",
        candidates: [{tab_id: one.data.tab_id}, {tab_id: two.data.tab_id}],
      },
      action: {effect: "refused"},
    });
    for (const path of ["/shop/1", "/shop/2"]) expect(await world.eyes.inPage(path, "__record")).toEqual([]);
    for (const {data} of [one, two]) await agent.ok("tab_release", {tab: data.tab_id});
  });

  test("with none: no_tab; with a released one: page_released, by whom", async () => {
    expect((await (await world.agent("Eve")).run("observe", {})).error?.code).toBe("no_tab");
    const {data} = await agent.ok("tab_claim", {url: "/mail"});
    await agent.ok("tab_release", {});
    const result = await agent.run("observe", {tab: data.tab_id});
    expect(result.error).toMatchObject({code: "page_released", details: {by: "release"}});
  });

  test("a tab that the person closes: page_released by the person; once it is gone, stale_page", async () => {
    world.pages.set("/closing", html("<p>Closing</p>", "Closing"));
    await world.openInBackground(world.pages.url("/closing"));
    const {data} = await agent.ok("tab_claim", {url: "/closing"});
    await world.eyes.inWorker(
      "chrome.tabs.query({url: '*://*/closing'}).then(([tab]) => chrome.tabs.remove(tab.id))",
    );
    expect((await agent.run("observe", {tab: data.tab_id})).error).toMatchObject({
      code: "page_released",
      details: {by: "person"},
    });
    const other = await world.agent("Latecomer");
    expect((await other.run("observe", {tab: data.tab_id})).error?.code).toBe("stale_page");
  });
});

describe("tab_open, tab_close, tab_mark", () => {
  test("opens in the background, muted, in the session's own group", async () => {
    world.pages.set("/opened", html("<h1>Opened</h1>", "Opened"));
    const {data} = await agent.ok("tab_open", {url: world.pages.url("/opened"), observe: true});
    expect(data.outline).toContain('heading "Opened"');
    expect(data.status).toBe(200);
    expect(await chromeTab("/opened")).toMatchObject({active: false, muted: true});
    const group = (await chromeTab("/opened"))?.group;
    expect(await world.eyes.inWorker(`chrome.tabGroups.get(${group}).then((group) => group.title)`)).toBe(
      "Ada's agent",
    );
    expect((await chromeTab("/desk"))?.active).toBe(true);
    await agent.ok("tab_close", {tab: data.tab_id});
    expect(await chromeTab("/opened")).toBeUndefined();
  });

  test.each([
    "file:///etc/passwd",
    " JaVaScRiPt:alert(1)",
    "chrome://settings",
    "data:text/html,x",
    "about:srcdoc",
    "not a url",
    "view-source:http://127.0.0.1/",
  ])("goes nowhere but to web pages: %s", async (url) => {
    const before = (await chromeTabs()).length;
    const result = await agent.run("tab_open", {url});
    expect(result.error).toMatchObject({code: "invalid_url", kind: "invalid_argument"});
    expect(await chromeTabs()).toHaveLength(before);
  });

  test("a page that does not load leaves no tab behind", async () => {
    const before = (await chromeTabs()).length;
    const result = await agent.run("tab_open", {url: "http://127.0.0.1:9/"});
    expect(result.error).toMatchObject({
      code: "page_not_loaded",
      details: {reason: expect.stringContaining("net::")},
    });
    expect(await chromeTabs()).toHaveLength(before);
  });

  test("closing a tab of the person's needs their word", async () => {
    const {data} = await agent.ok("tab_claim", {url: "/shop/1"});
    const refused = await agent.run("tab_close", {tab: data.tab_id});
    expect(refused.error).toMatchObject({code: "approval_required", kind: "approval_required"});
    expect(await chromeTab("/shop/1")).toBeDefined();
    await agent.ok("tab_close", {tab: data.tab_id, approved: true});
    expect(await chromeTab("/shop/1")).toBeUndefined();
  });
});

describe("handles", () => {
  test("a discarded tab keeps its handle, and is woken at the claim", async () => {
    world.pages.set("/sleepy", html("<h1>Awake again</h1>", "Sleepy"));
    await world.openInBackground(world.pages.url("/sleepy"));
    const listed = await agent.ok("tab_list", {query: "/sleepy"});
    await world.eyes.inWorker(
      "chrome.tabs.query({url: '*://*/sleepy'}).then(([tab]) => chrome.tabs.discard(tab.id)).then(() => true)",
    );
    const claimed = await agent.ok("tab_claim", {url: "/sleepy"});
    expect(claimed.data.tab_id).toBe(listed.data[0]?.tab_id);
    expect(claimed.notes).toContainEqual(expect.objectContaining({note: "tab_woken"}));
    const seen = await agent.ok("observe", {tab: claimed.data.tab_id});
    expect(seen.data.outline).toContain("Awake again");
    await agent.ok("tab_release", {tab: claimed.data.tab_id});
  });
});
