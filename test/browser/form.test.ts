import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {type Agent, openWorld, type World} from "../support/world.ts";

let world: World;
let agent: Agent;
beforeAll(async () => {
  world = await openWorld();
  agent = await world.agent();
});
afterAll(() => world[Symbol.asyncDispose]());

const value = (path: string, expression: string) => world.eyes.inPage<unknown>(path, expression);

describe("fill", () => {
  const fields: [name: string, body: string, given: string, read: string][] = [
    ["text", `<input id="f" aria-label="F" value="old">`, "Ada Lovelace", "f.value"],
    ["textarea", `<textarea id="f" aria-label="F">old</textarea>`, "two\nlines", "f.value"],
    ["email", `<input id="f" type="email" aria-label="F">`, "ada@example.com", "f.value"],
    ["number", `<input id="f" type="number" aria-label="F">`, "42.5", "f.value"],
    ["date", `<input id="f" type="date" aria-label="F">`, "2026-12-24", "f.value"],
    ["time", `<input id="f" type="time" aria-label="F">`, "13:30", "f.value"],
    ["colour", `<input id="f" type="color" aria-label="F">`, "#ff8800", "f.value"],
    ["range", `<input id="f" type="range" min="0" max="10" aria-label="F">`, "7", "f.value"],
    [
      "editable region",
      `<div id="f" contenteditable role="textbox" aria-label="F">old</div>`,
      "new text",
      "f.textContent",
    ],
    ["CJK and emoji", `<input id="f" aria-label="F">`, "予約 🛫 é", "f.value"],
    ["emptied", `<input id="f" aria-label="F" value="old">`, "", "f.value"],
  ];
  test.each(fields)("%s", async (name, body, given, read) => {
    const path = `/fill-${name.replaceAll(" ", "-")}`;
    const tab = await world.lend(agent, path, body);
    const result = await agent.ok("fill", {tab, target: "F", value: given});
    expect(await value(path, read)).toBe(given);
    expect(result.action).toMatchObject({effect: "confirmed", evidence: [{kind: "value_readback"}]});
    expect(result.data.value).toBe(given);
    expect(await value(path, `__record.some((event) => event.type === "input")`)).toBe(true);
  });

  test("a secret is written and compared, and never shown", async () => {
    const tab = await world.lend(
      agent,
      "/secret",
      `<label>Password <input id="f" type="password"></label><input aria-label="Card number" autocomplete="cc-number" value="4111111111111111">`,
    );
    const result = await agent.ok("fill", {tab, target: "Password", value: "correct horse"});
    expect(await value("/secret", "f.value")).toBe("correct horse");
    expect(result).toMatchObject({action: {effect: "confirmed"}, data: {value: "[redacted]"}});
    const seen = await agent.ok("observe", {tab});
    expect(JSON.stringify([result, seen])).not.toMatch(/correct horse|4111/);
    expect(seen.data.outline).toMatch(/\[redacted\]/);
  });

  test("a field that keeps its old value has rejected the new one", async () => {
    const tab = await world.lend(
      agent,
      "/reject",
      `<input id="f" aria-label="F" value="old" oninput="this.value='old'">`,
    );
    const result = await agent.run("fill", {tab, target: "F", value: "new"});
    expect(result).toMatchObject({
      error: {code: "value_rejected", details: {value: "old"}},
      action: {effect: "suspected_noop"},
    });
  });

  test("a field that formats is answered with what it holds, unconfirmed", async () => {
    const tab = await world.lend(
      agent,
      "/mask",
      `<input id="f" aria-label="F" oninput="this.value='+'+this.value.replace(/\\D/g,'')">`,
    );
    const result = await agent.ok("fill", {tab, target: "F", value: "47 12 34"});
    expect(result).toMatchObject({data: {value: "+471234"}, action: {effect: "unverifiable"}});
  });

  const refusals: [name: string, body: string, code: string][] = [
    ["read-only", `<input aria-label="F" readonly value="x">`, "not_editable"],
    ["disabled", `<input aria-label="F" disabled>`, "not_enabled"],
    ["a button", `<button aria-label="F">F</button>`, "not_a_text_field"],
    ["hidden", `<input aria-label="F" style="display:none">`, "not_visible"],
  ];
  test.each(refusals)("refuses %s, and writes nothing", async (name, body, code) => {
    const tab = await world.lend(agent, `/nofill-${name.replaceAll(" ", "-")}`, body);
    const result = await agent.run("fill", {
      tab,
      target: {css: "[aria-label=F]"},
      value: "new",
      timeout_ms: 100,
    });
    expect(result).toMatchObject({error: {code}, action: {effect: "refused"}});
  });
});

describe("select", () => {
  const countries = `<select id="s" aria-label="Country"><option value="">Choose</option><option value="NO">Norway</option><option value="SE">Sweden</option></select>`;
  test.each([
    ["values", {values: ["NO"]}],
    ["labels", {labels: ["Norway"]}],
    ["indexes", {indexes: [1]}],
  ])("by %s", async (name, by) => {
    const tab = await world.lend(agent, `/select-${name}`, countries);
    const result = await agent.ok("select", {tab, target: "Country", ...by});
    expect(await value(`/select-${name}`, "s.value")).toBe("NO");
    expect(result).toMatchObject({action: {effect: "confirmed", route: "dom"}, data: {selected: ["Norway"]}});
    expect(await value(`/select-${name}`, `__count("change", "s")`)).toBe(1);
  });

  test("an option that is not there is answered with those that are", async () => {
    const tab = await world.lend(agent, "/select-none", countries);
    const result = await agent.run("select", {tab, target: "Country", labels: ["Mordor"], timeout_ms: 0});
    expect(result.error).toMatchObject({
      code: "option_not_found",
      available: ["Choose", "Norway (NO)", "Sweden (SE)"],
    });
  });

  test("only a select", async () => {
    const tab = await world.lend(agent, "/select-not", `<input aria-label="Country">`);
    expect(
      (await agent.run("select", {tab, target: "Country", labels: ["x"], timeout_ms: 0})).error?.code,
    ).toBe("not_a_select");
  });

  test("a page that puts the old choice back has rejected it", async () => {
    const tab = await world.lend(
      agent,
      "/select-back",
      countries.replace("<select", `<select onchange="this.value=''"`),
    );
    const result = await agent.run("select", {tab, target: "Country", labels: ["Norway"]});
    expect(result).toMatchObject({error: {code: "value_rejected"}, action: {effect: "suspected_noop"}});
  });
});

describe("check", () => {
  test("ticks once, and does nothing when it is ticked already", async () => {
    const tab = await world.lend(agent, "/check", `<label><input id="c" type="checkbox"> I agree</label>`);
    const first = await agent.ok("check", {tab, target: "I agree"});
    expect(first).toMatchObject({
      action: {effect: "confirmed", route: "trusted_input"},
      data: {checked: true},
    });
    const again = await agent.ok("check", {tab, target: "I agree"});
    expect(again).toMatchObject({action: {effect: "confirmed", delivery: {mode: "not_applicable"}}});
    expect(await value("/check", `[c.checked, __count("click", "c")].join()`)).toBe("true,1");
    await agent.ok("check", {tab, target: "I agree", checked: false});
    expect(await value("/check", "c.checked")).toBe(false);
  });

  test("a visually hidden box is ticked through its label", async () => {
    const tab = await world.lend(
      agent,
      "/styled",
      `<label style="display:inline-block;padding:10px"><input id="c" type="checkbox" style="opacity:0;position:absolute;width:0;height:0"><span>Fancy</span></label>`,
    );
    await agent.ok("check", {tab, target: "Fancy"});
    expect(await value("/styled", "c.checked")).toBe(true);
  });

  test("only what can be checked", async () => {
    const tab = await world.lend(agent, "/uncheckable", `<button>Fancy</button>`);
    expect((await agent.run("check", {tab, target: "Fancy", timeout_ms: 0})).error?.code).toBe(
      "not_checkable",
    );
  });
});

describe("press", () => {
  test("Enter in a field submits its form, once", async () => {
    const tab = await world.lend(
      agent,
      "/enter",
      `<form id="form" onsubmit="event.preventDefault()"><input id="q" aria-label="Search" value="x"></form>`,
    );
    const result = await agent.ok("press", {tab, key: "Enter", target: "Search"});
    expect(
      await value(
        "/enter",
        `[__count("submit", "form"), __record.filter((event) => event.type === "keydown" && event.trusted).length].join()`,
      ),
    ).toBe("1,1");
    expect(result.action?.route).toBe("trusted_input");
  });

  test("a character is confirmed by the field's value; a chord arrives as such", async () => {
    const tab = await world.lend(
      agent,
      "/keys",
      `<input id="q" aria-label="Search"><script>window.keys=[];q.onkeydown=(e)=>keys.push([e.ctrlKey,e.shiftKey,e.key,e.code].join())</script>`,
    );
    const result = await agent.ok("press", {tab, key: "a", target: "Search"});
    expect(result.action).toMatchObject({effect: "confirmed", evidence: [{kind: "value_readback"}]});
    await agent.ok("press", {tab, key: "Control+Shift+K"});
    expect(await value("/keys", "[q.value, ...keys].join('|')")).toBe(
      "a|false,false,a,KeyA|true,true,K,KeyK",
    );
  });

  test("a key that is none says what would be one", async () => {
    const tab = await world.lend(agent, "/nokey", "<input aria-label=Search>");
    const result = await agent.run("press", {tab, key: "Hyper+Q"});
    expect(result.error).toMatchObject({
      code: "invalid_arguments",
      message: expect.stringContaining("Hyper"),
    });
    expect(await value("/nokey", `__count("keydown")`)).toBe(0);
  });

  test("a focus that flees before the key sends it nowhere", async () => {
    const tab = await world.lend(
      agent,
      "/flee",
      `<input id="a" aria-label="Message"><input id="b" aria-label="Other"><script>a.onfocus=()=>setTimeout(()=>b.focus(),0)</script>`,
    );
    const result = await agent.run("press", {tab, key: "Enter", target: "Message", timeout_ms: 200});
    const reached = await value(
      "/flee",
      `__record.filter((event) => event.type === "keydown" && event.id === "b").length`,
    );
    expect(reached).toBe(0);
    if (!result.ok) expect(result.action?.effect).toBe("refused");
  });
});
