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

describe("observe", () => {
  test("shows roles, names, states and refs, and refs work", async () => {
    const tab = await world.lend(
      agent,
      "/form",
      `<main><h1>Sign in</h1><label>Email <input id="e" value="ada@x.org"></label><button id="go" disabled>Sign in</button><p style="display:none">Secret plan</p></main>`,
    );
    const {data, page} = await agent.ok("observe", {tab});
    expect(page).toEqual({url: world.pages.url("/form"), title: "Page /form"});
    expect(data.outline).toMatch(/heading "Sign in" \[ref=e\d+\] \[level=1\]/);
    expect(data.outline).toMatch(/button "Sign in" \[ref=e\d+\] \[disabled\]/);
    expect(data.outline).not.toContain("Secret plan");
    expect(data).toMatchObject({complete: true, omitted: 0, dialogs: [], frames: 1});
    const ref = /textbox "Email" \[ref=(e\d+)\]/.exec(data.outline)?.[1] ?? "";
    await agent.ok("fill", {tab, target: ref, value: "bob@x.org"});
    expect(await world.eyes.inPage("/form", "e.value")).toBe("bob@x.org");
  });

  test("refs stay the same while the element does, and are never given out again", async () => {
    const tab = await world.lend(agent, "/refs", `<button id="a">One</button>`);
    const refOf = async (name: string) =>
      (await agent.ok("find", {tab, target: name})).data.matches[0]?.ref ?? "";
    const one = await refOf("One");
    await world.eyes.inPage(
      "/refs",
      "document.body.insertAdjacentHTML('afterbegin', '<button>Zero</button>')",
    );
    expect(await refOf("One")).toBe(one);
    await agent.ok("navigate", {tab, url: world.pages.url("/refs")});
    const later = await refOf("One");
    expect(Number(later.slice(1))).toBeGreaterThan(Number(one.slice(1)));
    expect((await agent.run("click", {tab, target: one, timeout_ms: 0})).error?.code).toBe("stale_ref");
  });

  test("a budget is kept, and what did not fit is counted", async () => {
    const items = Array.from(
      {length: 2_000},
      (_, index) => `<p><a href="#${index}">Item number ${index}</a></p>`,
    ).join("");
    const tab = await world.lend(agent, "/long", items);
    const {data} = await agent.ok("observe", {tab, max_chars: 2_000});
    expect(data.outline.length).toBeLessThanOrEqual(2_000);
    expect(data.complete).toBe(false);
    expect(data.omitted).toBeGreaterThan(1_000);
  });

  test("frames of this and of another site are shown in place, and their refs can be filled and clicked", async () => {
    world.pages.set(
      "/card",
      html(`<label>Card name <input id="n"></label><button id="pay">Pay now</button>`, "Card"),
    );
    const tab = await world.lend(
      agent,
      "/frames",
      `<h1>Checkout</h1><iframe title="Same" src="/card"></iframe><iframe title="Other" style="margin-left:150px" src="${world.pages.url("/card", "localhost")}"></iframe>`,
    );
    const {data} = await agent.ok("observe", {tab});
    expect(data.frames).toBe(3);
    const pays = [...data.outline.matchAll(/button "Pay now" \[ref=(f\d+e\d+)\]/g)].map(
      (match) => match[1] ?? "",
    );
    const names = [...data.outline.matchAll(/textbox "Card name" \[ref=(f\d+e\d+)\]/g)].map(
      (match) => match[1] ?? "",
    );
    expect([pays.length, names.length]).toEqual([2, 2]);
    for (const ref of names) {
      const filled = await agent.ok("fill", {tab, target: ref, value: "T. Ester"});
      expect(filled.action?.effect).toBe("confirmed");
    }
    for (const ref of pays) await agent.ok("click", {tab, target: ref});
    const frame = (await world.eyes.targets()).find(
      (target) => target.type === "iframe" && target.url.includes("localhost"),
    );
    const {sessionId} = await world.eyes.send<{sessionId: string}>("Target.attachToTarget", {
      targetId: frame?.targetId ?? "",
      flatten: true,
    });
    const read = await world.eyes.send<{result: {value: string}}>(
      "Runtime.evaluate",
      {expression: `[n.value, __count("click", "pay")].join()`, returnByValue: true},
      sessionId,
    );
    expect(read.result.value).toBe("T. Ester,1");
    expect(
      await world.eyes.inPage("/frames", `[frames[0].n.value, frames[0].__count("click", "pay")].join()`),
    ).toBe("T. Ester,1");
  });
});

describe("find", () => {
  test("by every way of naming, with its box and state", async () => {
    const tab = await world.lend(
      agent,
      "/find",
      `<form aria-label="Login"><label for="e">Email</label><input id="e" placeholder="you@x.org" data-testid="email" title="Your address"></form><img alt="Logo" src="data:,"><button disabled>Go</button>`,
    );
    const targets = [
      {role: "textbox", name: "email"},
      {label: "Email"},
      {placeholder: "you@x.org"},
      {test_id: "email"},
      {title: "Your address"},
      {css: "#e"},
      {xpath: "//input"},
      {text: "Email"},
    ];
    for (const target of targets) {
      const {data} = await agent.ok("find", {tab, target});
      expect([target, data.matches.length > 0]).toEqual([target, true]);
    }
    expect((await agent.ok("find", {tab, target: {alt: "Logo"}})).data.matches[0]).toMatchObject({
      role: "img",
      name: "Logo",
    });
    const {data} = await agent.ok("find", {tab, target: "Go"});
    expect(data.matches).toMatchObject([
      {role: "button", name: "Go", visible: true, enabled: false, box: {width: expect.any(Number)}},
    ]);
    const free = await agent.ok("find", {tab, query: "email box"});
    expect(free.data.matches[0]?.name).toBe("Email");
    expect((await agent.ok("find", {tab, target: "Nothing like it"})).data.total).toBe(0);
  });
});
