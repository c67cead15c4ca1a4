// Conditions: one look each, and waiting until the answer changes (contract 2.3).
import {afterAll, expect, test} from "vitest";
import type {PageTarget} from "../../../extension/page/contract.ts";
import type {LeafCondition} from "../../../shared/condition.ts";
import {closeBrowser, type EnginePage, open} from "../../support/engine-page.ts";

afterAll(closeBrowser);

interface Asked {
  condition: LeafCondition;
  target?: PageTarget;
  within?: PageTarget;
}

const ask = async (page: EnginePage, asked: Asked) =>
  (await page.call("watch", {conditions: [asked], known: null, timeoutMs: 0}))[0];

test("each condition passes and fails by what the page shows", async () => {
  await using page =
    await open(`<title>Shop: cart</title><h1>Your cart</h1><div hidden>Secret note</div><button disabled>Pay</button>
    <label><input type=checkbox checked>Agree</label><input aria-label=Name value="Ada L"><input type=password aria-label=Password value=Zq9>
    <select aria-label=Country><option value=NO selected>Norway<option value=SE>Sweden</select><ul><li>a<li>b<li style="display:none">c</ul>
    <section aria-label=Aside>Only <b>here</b></section>`);
  const name: PageTarget = {guess: "Name"};
  const cases: [Asked["condition"], PageTarget | undefined, string][] = [
    [{type: "url_contains", value: "engine.test"}, undefined, "passed"],
    [{type: "url_equals", value: "http://engine.test/x"}, undefined, "failed"],
    [{type: "url_matches", value: "^http://engine\\.test/$"}, undefined, "passed"],
    [{type: "title_contains", value: "cart"}, undefined, "passed"],
    [{type: "title_equals", value: "Shop"}, undefined, "failed"],
    [{type: "text_visible", text: "your CART"}, undefined, "passed"],
    [{type: "text_visible", text: "Only here"}, undefined, "passed"],
    [{type: "text_visible", text: "Secret note"}, undefined, "failed"],
    [{type: "text_absent", text: "Secret note"}, undefined, "passed"],
    [{type: "element_visible", target: "x"}, {role: "heading"}, "passed"],
    [{type: "element_absent", target: "x"}, {role: "dialog"}, "passed"],
    [{type: "disabled", target: "x"}, {guess: "Pay"}, "passed"],
    [{type: "enabled", target: "x"}, {guess: "Pay"}, "failed"],
    [{type: "checked", target: "x"}, {guess: "Agree"}, "passed"],
    [{type: "unchecked", target: "x"}, {guess: "Agree"}, "failed"],
    [{type: "focused", target: "x"}, name, "failed"],
    [{type: "value_equals", target: "x", value: "Ada L"}, name, "passed"],
    [{type: "value_contains", target: "x", value: "Bob"}, name, "failed"],
    [{type: "value_equals", target: "x", value: "Zq9"}, {guess: "Password"}, "passed"],
    [{type: "selected", target: "x", value: "Norway"}, {guess: "Country"}, "passed"],
    [{type: "selected", target: "x", value: "SE"}, {guess: "Country"}, "failed"],
    [{type: "attribute", target: "x", name: "aria-label", value: "Name"}, name, "passed"],
    [{type: "count", target: "x", equals: 2}, {role: "listitem"}, "passed"],
    [{type: "count", target: "x", min: 3}, {role: "listitem"}, "failed"],
    [{type: "checked", target: "x"}, {guess: "Nowhere"}, "unknown"],
    [{type: "enabled", target: "x"}, {role: "listitem"}, "unknown"],
    [{type: "network_idle", ms: 5}, undefined, "unknown"],
  ];
  for (const [condition, target, status] of cases) {
    const finding = await ask(page, {condition, ...(target && {target})});
    expect({condition, status: finding?.status}).toEqual({condition, status});
    expect(JSON.stringify(finding)).not.toContain("Zq9");
  }
  expect(
    await ask(page, {
      condition: {type: "text_visible", text: "here", within: "x"},
      within: {role: "region", name: "Aside"},
    }),
  ).toMatchObject({status: "passed"});
  expect(
    await ask(page, {
      condition: {type: "text_visible", text: "cart", within: "x"},
      within: {role: "region", name: "Aside"},
    }),
  ).toMatchObject({status: "failed"});
  expect(await ask(page, {condition: {type: "checked", target: "x"}, target: {guess: "Nowhere"}})).toEqual({
    status: "unknown",
    reason: "target_missing",
  });
  expect(
    await ask(page, {condition: {type: "enabled", target: "x"}, target: {role: "listitem"}}),
  ).toMatchObject({reason: "multi_match"});
  expect(await ask(page, {condition: {type: "console_clean"}})).toEqual({
    status: "unknown",
    reason: "unsupported",
  });
});

test("a watch ends when the answer changes: a node, a value, an address, a focus", async () => {
  await using page = await open(
    `<input id=i aria-label=Name><script>window.say = () => document.body.append("Saved")</script>`,
  );
  const changes: [Asked, string][] = [
    [{condition: {type: "text_visible", text: "Saved"}}, "say()"],
    [
      {condition: {type: "value_equals", target: "x", value: "Ada"}, target: {guess: "Name"}},
      "i.value = 'Ada'; i.dispatchEvent(new Event('input', {bubbles: true}))",
    ],
    [{condition: {type: "focused", target: "x"}, target: {guess: "Name"}}, "i.focus()"],
    [{condition: {type: "url_contains", value: "#done"}}, "history.pushState(null, '', '#done')"],
    [{condition: {type: "title_equals", value: "Done"}}, "document.title = 'Done'"],
    [
      {condition: {type: "element_absent", target: "x"}, target: {guess: "Name"}},
      "document.head.append(Object.assign(document.createElement('style'), {textContent: 'input{display:none}'}))",
    ],
  ];
  for (const [asked, change] of changes) {
    const before = await ask(page, asked);
    expect(before?.status, change).toBe("failed");
    const waiting = page.call("watch", {
      conditions: [asked],
      known: before === undefined ? null : [before],
      timeoutMs: 8000,
    });
    const started = Date.now();
    await page.page.evaluate(change);
    expect((await waiting)[0]?.status, change).toBe("passed");
    expect(Date.now() - started, change).toBeLessThan(4000);
  }
});

test("a watch that nothing changes answers when its time is out", async () => {
  await using page = await open("<p>Still</p>");
  const asked: Asked = {condition: {type: "text_visible", text: "Never"}};
  const known = await ask(page, asked);
  expect(
    await page.call("watch", {
      conditions: [asked],
      known: known === undefined ? null : [known],
      timeoutMs: 60,
    }),
  ).toEqual([known]);
});

test("a quiet page is proven quiet, a busy one is not", async () => {
  await using page = await open("<p id=p>0</p>");
  const asked: Asked = {condition: {type: "dom_stable", ms: 200}};
  const first = await ask(page, asked);
  expect(first).toEqual({status: "unknown", reason: "stability_unproven"});
  expect(
    await page.call("watch", {
      conditions: [asked],
      known: first === undefined ? null : [first],
      timeoutMs: 5000,
    }),
  ).toMatchObject([{status: "passed"}]);
  await page.page.evaluate("window.n = 0; window.t = setInterval(() => { p.textContent = ++n }, 20)");
  await page.page.waitForFunction("n > 3");
  expect(await ask(page, asked)).toMatchObject({status: "failed"});
});

test("changed tells that something happened, or that nothing did", async () => {
  await using page = await open("<p id=p>0</p>");
  expect(await page.call("changed", {timeoutMs: 30})).toEqual({changed: false});
  const waiting = page.call("changed", {timeoutMs: 8000});
  await page.page.evaluate("p.textContent = 1");
  expect(await waiting).toEqual({changed: true});
});

test("leaving ends whoever waits on nothing but the clock, and stops listening", async () => {
  await using page = await open("<p id=p>0</p>");
  const waiting = page.call("changed", {timeoutMs: 100});
  await page.call("leave", {});
  await page.page.evaluate("p.textContent = 1");
  expect(await waiting).toEqual({changed: false});
});
