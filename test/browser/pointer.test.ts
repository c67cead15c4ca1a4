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

interface Recorded {
  type: string;
  id: string;
  trusted: boolean;
}
const record = (path: string) => world.eyes.inPage<Recorded[]>(path, "__record");
const clicks = (path: string, id: string) =>
  world.eyes.inPage<number>(path, `__count("click", ${JSON.stringify(id)})`);

describe("click: what was delivered", () => {
  test("clicks a button by name in a background tab, once and trusted", async () => {
    const tab = await world.lend(agent, "/click", `<button id="go">Go</button>`);
    const result = await agent.ok("click", {tab, target: "Go"});
    expect(result.action).toEqual({
      effect: "unverifiable",
      route: "trusted_input",
      delivery: {mode: "background"},
    });
    expect(result.target).toMatchObject({
      element: {role: "button", name: "Go", tag: "button"},
      candidates: 1,
    });
    expect(result.verification).toEqual({status: "not_checked", checks: []});
    expect((await record("/click")).filter(({type}) => type === "click")).toEqual([
      {type: "click", id: "go", trusted: true},
    ]);
  });

  test("confirms a checkbox that toggled, by its own state", async () => {
    const tab = await world.lend(agent, "/toggle", `<label><input id="box" type="checkbox"> News</label>`);
    const result = await agent.ok("click", {tab, target: {role: "checkbox", name: "News"}});
    expect(result.action).toMatchObject({effect: "confirmed", evidence: [{kind: "value_readback"}]});
    expect(await world.eyes.inPage("/toggle", "box.checked")).toBe(true);
  });

  test("suspects a no-op when the toggle kept its state", async () => {
    const tab = await world.lend(
      agent,
      "/noop",
      `<input id="box" type="checkbox" aria-label="Stuck" onclick="event.preventDefault()">`,
    );
    const result = await agent.ok("click", {tab, target: "Stuck"});
    expect(result.action?.effect).toBe("suspected_noop");
    expect(await clicks("/noop", "box")).toBe(1);
  });

  test("confirms a navigation that the click asked for, and says where the page is", async () => {
    world.pages.set("/landing", html("<h1>Landed</h1>", "Landed"));
    const tab = await world.lend(agent, "/link", `<a id="a" href="/landing">Next page</a>`);
    const result = await agent.ok("click", {
      tab,
      target: "Next page",
      expect: {type: "title_equals", value: "Landed"},
    });
    expect(result.action).toMatchObject({effect: "confirmed", evidence: [{kind: "window_change"}]});
    expect(result.verification?.status).toBe("passed");
    expect(result.page).toEqual({url: world.pages.url("/landing"), title: "Landed"});
  });

  test("a same-document URL change is a note, not evidence", async () => {
    const tab = await world.lend(
      agent,
      "/hash",
      `<button id="go" onclick="history.pushState({}, '', '/hash?step=2')">Step</button>`,
    );
    const result = await agent.ok("click", {tab, target: "Step"});
    expect(result.action?.effect).toBe("unverifiable");
    expect(result.notes).toContainEqual({note: "url_changed", url: `${world.pages.url("/hash")}?step=2`});
  });

  test("double click, right click, modifiers and position reach the page as such", async () => {
    const tab = await world.lend(
      agent,
      "/kinds",
      `<button id="b" style="width:200px;height:60px">Pad</button><script>window.seen=[];for(const t of ["click","dblclick","contextmenu"])b.addEventListener(t,e=>{e.preventDefault();seen.push([t,e.shiftKey,Math.round(e.offsetX),Math.round(e.offsetY)].join())})</script>`,
    );
    await agent.ok("click", {tab, target: "Pad", count: 2, position: {x: 10, y: 12}});
    await agent.ok("click", {
      tab,
      target: "Pad",
      button: "right",
      modifiers: ["Shift"],
      position: {x: 10, y: 12},
    });
    const seen = await world.eyes.inPage<string[]>("/kinds", "seen");
    expect(seen.map((line) => line.split(",").slice(0, 2).join())).toEqual([
      "click,false",
      "click,false",
      "dblclick,false",
      "contextmenu,true",
    ]);
  });

  test("method dom calls the element's own click, and says so", async () => {
    const tab = await world.lend(agent, "/dom", `<button id="go" style="display:none">Hidden</button>`);
    const result = await agent.ok("click", {tab, target: {css: "#go"}, method: "dom"});
    expect(result.action?.route).toBe("dom");
    expect((await record("/dom")).filter(({type}) => type === "click")).toEqual([
      {type: "click", id: "go", trusted: false},
    ]);
  });

  test("a click that opens an alert is confirmed, reported, and the next action is refused", async () => {
    const tab = await world.lend(agent, "/alert", `<button id="go" onclick="alert('Sure?')">Ask</button>`);
    const result = await agent.ok("click", {tab, target: "Ask"});
    expect(result.action).toMatchObject({effect: "confirmed", evidence: [{kind: "window_change"}]});
    expect(result.notes).toContainEqual(
      expect.objectContaining({
        note: "dialog_opened",
        dialog: expect.objectContaining({type: "alert", message: "Sure?"}),
      }),
    );
    const next = await agent.run("click", {tab, target: "Ask"});
    expect(next.error).toMatchObject({code: "dialog_open", dialog: {message: "Sure?"}, recoverable: false});
    expect(next.action?.effect).toBe("refused");
    await agent.ok("tab_release", {tab});
  });

  test("expectation_failed says that the click happened", async () => {
    const tab = await world.lend(agent, "/wrong", `<input id="box" type="checkbox" aria-label="Box">`);
    const result = await agent.run("click", {
      tab,
      target: "Box",
      expect: {type: "text_visible", text: "Thanks"},
      expect_timeout_ms: 100,
    });
    expect(result).toMatchObject({
      ok: false,
      action: {effect: "confirmed"},
      error: {code: "expectation_failed", kind: "verification_failed", recoverable: false},
    });
    expect(result.verification?.checks[0]).toMatchObject({status: "failed"});
    expect(await clicks("/wrong", "box")).toBe(1);
  });

  test("expectation_unknown when nothing can prove it", async () => {
    const tab = await world.lend(agent, "/unknown", `<button id="go">Go</button>`);
    const result = await agent.run("click", {
      tab,
      target: "Go",
      expect: {type: "checked", target: "No such box"},
      expect_timeout_ms: 100,
    });
    expect(result.error?.code).toBe("expectation_unknown");
    expect(result.verification).toMatchObject({status: "unknown", checks: [{reason: "target_missing"}]});
  });
});

describe("click: what is refused, with nothing in the page", () => {
  const refusals: [
    name: string,
    body: string,
    input: {target: unknown; timeout_ms?: number},
    code: string,
  ][] = [
    ["nothing matches", `<button id="go">Go</button>`, {target: "Gone"}, "not_found"],
    [
      "several match",
      `<button>Delete</button><button>Delete</button>`,
      {target: "Delete"},
      "selector_ambiguous",
    ],
    [
      "hidden",
      `<button id="go" style="visibility:hidden">Go</button>`,
      {target: {css: "#go"}},
      "not_visible",
    ],
    ["disabled", `<fieldset disabled><button id="go">Go</button></fieldset>`, {target: "Go"}, "not_enabled"],
    [
      "covered",
      `<button id="go">Go</button><div id="veil" style="position:fixed;inset:0;background:#0003">Cookies</div>`,
      {target: "Go"},
      "intercepted",
    ],
    [
      "moving",
      `<style>@keyframes m{to{transform:translateX(300px)}}</style><button id="go" style="animation:m 2s linear infinite alternate">Go</button>`,
      {target: "Go"},
      "not_stable",
    ],
  ];
  test.each(refusals)("%s", async (name, body, input, code) => {
    const path = `/refused-${name.replaceAll(" ", "-")}`;
    const tab = await world.lend(agent, path, body);
    const result = await agent.run("click", {tab, timeout_ms: 200, ...input} as Parameters<
      Agent["run"]
    >[1] & {target: string});
    expect(result.error?.code).toBe(code);
    expect(result.action).toEqual({effect: "refused", route: "trusted_input"});
    expect((await record(path)).filter(({type}) => type === "click" || type === "mousedown")).toEqual([]);
  });

  test("candidates are named, and nth chooses", async () => {
    const tab = await world.lend(
      agent,
      "/two",
      `<ul><li>Ada <button id="a">Delete</button></li><li>Bob <button id="b">Delete</button></li></ul>`,
    );
    const result = await agent.run("click", {tab, target: "Delete"});
    expect(result.error).toMatchObject({code: "selector_ambiguous", kind: "ambiguous", recoverable: false});
    expect(result.error?.candidates).toHaveLength(2);
    await agent.ok("click", {tab, target: {role: "button", name: "Delete", nth: 1}});
    expect(await clicks("/two", "b")).toBe(1);
    expect(await clicks("/two", "a")).toBe(0);
  });

  test("a blocker is named", async () => {
    const tab = await world.lend(
      agent,
      "/veil",
      `<button id="go">Go</button><button id="veil" aria-label="Accept cookies" style="position:fixed;inset:0">x</button>`,
    );
    const result = await agent.run("click", {tab, target: "Go", timeout_ms: 100});
    expect(result.error).toMatchObject({
      code: "intercepted",
      blocker: {role: "button", name: "Accept cookies"},
    });
  });

  test("waits for a button that comes, and says that it tried again", async () => {
    const tab = await world.lend(
      agent,
      "/later",
      `<div id="o"></div><button id="start" onclick="setTimeout(()=>{o.innerHTML='<button id=late>Late</button>'},300)">Start</button>`,
    );
    await agent.ok("click", {tab, target: "Start"});
    const result = await agent.ok("click", {tab, target: "Late"});
    expect(result.notes).toContainEqual(expect.objectContaining({note: "retried", why: "not_found"}));
    expect(await clicks("/later", "late")).toBe(1);
  });

  test("a ref that has become another item is stale", async () => {
    const tab = await world.lend(
      agent,
      "/recycle",
      `<ul><li id="row"><span id="who">Ada</span> <button id="del">Delete</button></li></ul>`,
    );
    const {data} = await agent.ok("find", {tab, target: {role: "button", name: "Delete"}});
    await world.eyes.inPage("/recycle", "who.textContent = 'Bob'");
    const result = await agent.run("click", {tab, target: data.matches[0]?.ref ?? "", timeout_ms: 0});
    expect(result.error).toMatchObject({code: "stale_ref", kind: "stale_element"});
    expect(await clicks("/recycle", "del")).toBe(0);
  });

  test("missing and malformed targets say what would be valid", async () => {
    const tab = await world.lend(agent, "/malformed", "<button>Go</button>");
    const missing = await agent.run("click", {tab} as unknown as {target: string});
    expect(missing.error?.code).toBe("missing_target");
    const malformed = await agent.run("click", {tab, target: {role: "button", css: "b"}});
    expect(malformed.error?.code).toBe("invalid_target");
    const selector = await agent.run("click", {tab, target: {css: "<<<"}, timeout_ms: 0});
    expect(selector.error?.code).toBe("invalid_target");
    const unknown = await agent.run("click", {tab, target: "Go", colour: "red"} as {target: string});
    expect(unknown.error).toMatchObject({code: "invalid_arguments", details: {issues: [expect.anything()]}});
  });
});

// The page moves its button, or covers it, when the pointer arrives: after the check and before the press.
const moves = `<button id="go" style="position:absolute;left:20px;top:200px;width:120px;height:40px">Pay</button>
<button id="wrong" style="position:absolute;left:20px;top:200px;width:120px;height:40px;z-index:-1">Delete all</button>
<script>addEventListener("mousemove", () => { go.style.top = "400px" }, {once: true})</script>`;
const overlays = `<button id="go" style="position:absolute;left:20px;top:200px">Pay</button>
<script>addEventListener("mousemove", () => { if (document.getElementById("late")) return; const o = document.createElement("button"); o.id = "late"; o.textContent = "Subscribe"; o.style.cssText = "position:fixed;inset:0"; document.body.append(o) })</script>`;
const frames = `<button id="go" style="position:absolute;left:20px;top:200px">Pay</button>
<iframe id="f" src="/inner" style="position:absolute;left:500px;top:500px;width:300px;height:100px;border:0"></iframe>
<script>addEventListener("mousemove", () => { f.style.left = "0px"; f.style.top = "180px" }, {once: true})</script>`;

describe("click: between check and press", () => {
  const everyCase = [
    ["early", "the button moves away", moves, "wrong"],
    ["late", "the button moves away", moves, "wrong"],
    ["early", "an overlay comes", overlays, "late"],
    ["late", "an overlay comes", overlays, "late"],
  ] as const;
  test.each(everyCase)(
    "%s engine: %s, and the wrong element gets nothing",
    async (when, name, body, wrong) => {
      const path = `/guard-${when}-${name.split(" ").length}-${wrong}`;
      const tab = await world.lend(agent, path, body);
      if (when === "early") await agent.ok("navigate", {tab, url: world.pages.url(path)});
      const result = await agent.run("click", {tab, target: {css: "#go"}, timeout_ms: 300});
      expect(
        await world.eyes.inPage(
          path,
          `__record.filter((event) => event.id === ${JSON.stringify(wrong)} && event.type !== "pointerdown")`,
        ),
      ).toEqual([]);
      const reached = await clicks(path, "go");
      if (result.ok) expect(reached).toBe(1);
      else
        expect([reached, result.action?.effect, result.error?.code]).toEqual([0, "refused", "intercepted"]);
    },
  );

  test("a late engine on a page that captures the press itself says that the page saw it", async () => {
    const capturing = `${overlays}<script>window.early = 0; addEventListener("pointerdown", () => { early += 1 }, true)</script>`;
    const tab = await world.lend(agent, "/guard-seen", capturing);
    const result = await agent.run("click", {tab, target: {css: "#go"}, timeout_ms: 2_000});
    expect(await world.eyes.inPage("/guard-seen", "early")).toBe(1);
    expect(result).toMatchObject({
      error: {code: "intercepted", recoverable: false, details: {page_saw: true}},
      action: {effect: "unverifiable"},
    });
    expect(await clicks("/guard-seen", "late")).toBe(0);
  });

  test("another site's frame that slides over the button gets nothing", async () => {
    world.pages.set("/inner", html(`<button id="inside" style="position:fixed;inset:0">Other site</button>`));
    const body = frames.replace('src="/inner"', `src="${world.pages.url("/inner", "localhost")}"`);
    const tab = await world.lend(agent, "/guard-frame", body);
    const result = await agent.run("click", {tab, target: {css: "#go"}, timeout_ms: 300});
    const inside = await agent.ok("observe", {tab});
    expect(inside.data.outline).toContain("Other site");
    expect(await clicks("/guard-frame", "go")).toBe(result.ok ? 1 : 0);
    if (!result.ok) expect(result.error?.code).toBe("intercepted");
    const frame = (await world.eyes.targets()).find(
      (target) => target.type === "iframe" && target.url.includes("/inner"),
    );
    const {sessionId} = await world.eyes.send<{sessionId: string}>("Target.attachToTarget", {
      targetId: frame?.targetId ?? "",
      flatten: true,
    });
    const {result: seen} = await world.eyes.send<{result: {value: number}}>(
      "Runtime.evaluate",
      {expression: `__record.filter((event) => event.type !== "pointerdown").length`, returnByValue: true},
      sessionId,
    );
    expect(seen.value).toBe(0);
  });

  test("a button that vanishes under the press is click_incomplete, and is not pressed again", async () => {
    const tab = await world.lend(
      agent,
      "/vanish",
      `<button id="go">Go</button><script>go.addEventListener("mousedown", () => go.remove())</script>`,
    );
    const result = await agent.run("click", {tab, target: "Go", timeout_ms: 500});
    expect(result.error).toMatchObject({
      code: "click_incomplete",
      kind: "verification_failed",
      recoverable: false,
    });
    expect(await world.eyes.inPage("/vanish", `__count("mousedown", "go")`)).toBe(1);
  });
});
