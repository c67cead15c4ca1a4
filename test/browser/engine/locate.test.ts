// Targets and refs: what names what, and what is refused (contract 2.6).
import {afterAll, expect, test} from "vitest";
import type {PageTarget} from "../../../extension/page/contract.ts";
import {closeBrowser, type EnginePage, open, worked} from "../../support/engine-page.ts";

afterAll(closeBrowser);

const look = (page: EnginePage, target: PageTarget) =>
  page.call("prepare", {target, purpose: "look", gesture: null});
const found = async (page: EnginePage, target: PageTarget) => {
  const {element, strategy, candidates} = worked(await look(page, target));
  return {role: element.role, name: element.name, strategy, candidates};
};

const form = `<h1>Sign in</h1><form aria-label="Sign in form"><label for=mail>E-mail address</label><input id=mail type=email placeholder="you@example.org">
  <label>Password <input type=password data-testid=pw title="Your password"></label><button>Sign  in</button></form>
  <p>Some <b>bold words</b> here</p><img alt="Company logo" src="data:,"><div data-test="box">A box</div>`;

test("every strategy finds its element", async () => {
  await using page = await open(form);
  expect(await found(page, {role: "button"})).toEqual({
    role: "button",
    name: "Sign in",
    strategy: "role",
    candidates: 1,
  });
  expect(await found(page, {role: "heading", name: "sign IN"})).toMatchObject({role: "heading"});
  expect(await found(page, {label: "Password"})).toMatchObject({role: "textbox", strategy: "label"});
  expect(await found(page, {label: "e-mail", exact: false})).toMatchObject({name: "E-mail address"});
  expect(await found(page, {placeholder: "you@example.org"})).toMatchObject({
    name: "E-mail address",
    strategy: "placeholder",
  });
  expect(await found(page, {text: "bold words"})).toMatchObject({
    role: "strong".length > 0 ? "generic" : "",
    strategy: "text",
  });
  expect(await found(page, {test_id: "pw"})).toMatchObject({role: "textbox", strategy: "test_id"});
  expect(await found(page, {test_id: "box"})).toMatchObject({strategy: "test_id"});
  expect(await found(page, {alt: "company logo"})).toMatchObject({role: "img", strategy: "alt"});
  expect(await found(page, {title: "Your password"})).toMatchObject({role: "textbox", strategy: "title"});
  expect(await found(page, {css: "form > input"})).toMatchObject({name: "E-mail address", strategy: "css"});
  expect(await found(page, {xpath: "//form/input"})).toMatchObject({
    name: "E-mail address",
    strategy: "xpath",
  });
  expect(await found(page, {role: "textbox", within: {role: "form"}, nth: 1})).toMatchObject({
    name: "Password",
    candidates: 2,
  });
});

test("a string is tried as name, label, placeholder, test id, text; the control wins over the heading", async () => {
  await using page = await open(form);
  expect(await found(page, {guess: "Sign in"})).toMatchObject({role: "button", strategy: "name"});
  expect(await found(page, {guess: "you@example.org"})).toMatchObject({
    role: "textbox",
    strategy: "placeholder",
  });
  expect(await found(page, {guess: "pw"})).toMatchObject({strategy: "test_id"});
  expect(await found(page, {guess: "Some bold words here"})).toMatchObject({
    role: "paragraph",
    strategy: "text",
  });
});

test("nothing found names what is near", async () => {
  await using page = await open(form);
  expect(await look(page, {guess: "Signin"})).toMatchObject({
    failed: "not_found",
    data: {candidates: [{role: "button", name: "Sign in"}]},
  });
  expect(await look(page, {role: "textbox", nth: 7})).toMatchObject({failed: "not_found"});
});

test("malformed selectors say so", async () => {
  await using page = await open(form);
  expect(await look(page, {css: "div["})).toMatchObject({failed: "invalid_target"});
  expect(await look(page, {xpath: "//["})).toMatchObject({failed: "invalid_target"});
  expect(await look(page, {xpath: "count(//a)"})).toMatchObject({failed: "invalid_target"});
});

test("several matches are refused with where each one is; hidden ones do not count", async () => {
  await using page =
    await open(`<table>${["Alpha", "Beta"].map((name) => `<tr><th scope=row>${name}</th><td><button>Delete</button></td></tr>`).join("")}</table>
    <button style="display:none">Delete</button><button style="display:none">Ghost</button>`);
  expect(await look(page, {guess: "Delete"})).toMatchObject({
    failed: "selector_ambiguous",
    data: {
      candidates: [
        {role: "button", name: "Delete", where: expect.stringContaining("Alpha")},
        {where: expect.stringContaining("Beta")},
      ],
    },
  });
  expect(await found(page, {guess: "Delete", nth: 1})).toMatchObject({candidates: 2});
  expect(
    await found(page, {role: "button", name: "Delete", within: {role: "row", name: "Beta Delete"}}),
  ).toMatchObject({candidates: 1});
  expect(await found(page, {guess: "Ghost"})).toMatchObject({role: "button"});
});

test("open and adopted closed roots are searched, by name and by css", async () => {
  await using page =
    await open(`<x-o></x-o><script>customElements.define("x-o", class extends HTMLElement { connectedCallback() {
    this.attachShadow({mode: "open"}).innerHTML = "<section><label for=n>Inner name</label><input id=n></section>" } })</script>`);
  expect(await found(page, {guess: "Inner name"})).toMatchObject({role: "textbox"});
  expect(await found(page, {css: "section > input"})).toMatchObject({name: "Inner name"});
  expect(await found(page, {css: "input", within: {css: "x-o"}})).toMatchObject({name: "Inner name"});
});

test("a ref stays with its element, and is never given out again", async () => {
  await using page = await open("<button id=a>One</button><button id=b>Two</button>");
  const one = worked(await look(page, {guess: "One"})).element.ref;
  expect(worked(await look(page, {css: "#a"})).element.ref).toBe(one);
  await page.page.evaluate("a.before(b)");
  expect(worked(await look(page, {ref: one})).element.name).toBe("One");
  const answer = await page.answer("find", {target: {guess: "Two"}, limit: 5}, {prefix: "", base: 40});
  expect(answer.base).toBe(41);
  const framed = await page.answer("find", {target: {css: "button"}, limit: 5}, {prefix: "f2", base: 50});
  expect(worked(framed.value).matches.map(({ref}) => ref)).toEqual(["f2e51", "f2e52"]);
  expect(await look(page, {ref: "e9999"})).toMatchObject({failed: "stale_ref"});
});

test("an element that became something else is stale, and says what it was and is", async () => {
  await using page = await open(`<button id=p aria-label=Play>x</button>`);
  const {ref} = worked(await look(page, {guess: "Play"})).element;
  await page.page.evaluate("p.setAttribute('aria-label', 'Pause')");
  expect(await look(page, {ref})).toMatchObject({
    failed: "stale_ref",
    data: {was: {role: "button", name: "Play"}, now: {name: "Pause"}},
  });
  expect(worked(await look(page, {guess: "Pause"})).element.ref).not.toBe(ref);
  await page.page.evaluate("p.setAttribute('aria-label', 'Play')");
  expect(worked(await look(page, {ref})).element.ref).toBe(ref);
});

test("a recycled row is another row, although its button is the same node with the same name", async () => {
  await using page = await open(`<ul><li><span id=t>Order 1</span> <button>Delete</button></li></ul>`);
  const {ref} = worked(await look(page, {guess: "Delete"})).element;
  await page.page.evaluate("t.textContent = 'Order 2'");
  expect(await look(page, {ref})).toMatchObject({
    failed: "stale_ref",
    data: {was: {within: "Order 1"}, now: {within: "Order 2"}},
  });
});

test("the count on a row's other buttons, a clock, a typed value do not make it another row", async () => {
  await using page = await open(
    `<ul><li>Post <time id=t>1 min ago</time> <button id=like>Like 5</button> <input id=i value=1> <button>Reply</button></li></ul>`,
  );
  const {ref} = worked(await look(page, {guess: "Reply"})).element;
  await page.page.evaluate("t.textContent = '2 min ago'; like.textContent = 'Like 6'; i.value = 2");
  expect(worked(await look(page, {ref})).rebound).toBe(false);
});

test("a replaced element is found again only if exactly one is like it", async () => {
  const rows = (names: string[]) => names.map((name) => `<li>${name} <button>Delete</button></li>`).join("");
  await using page = await open(`<ul id=u>${rows(["Alpha", "Beta"])}</ul>`);
  const {ref} = worked(await look(page, {guess: "Delete", nth: 1})).element;
  await page.page.evaluate(`u.innerHTML = ${JSON.stringify(rows(["Beta", "Alpha"]))}`);
  const again = worked(await look(page, {ref}));
  expect(again.rebound).toBe(true);
  expect(again.element.ref).toBe(ref);
  expect(worked(await page.call("find", {target: {ref}, limit: 1})).matches[0]?.where).toContain("Beta");
  await page.page.evaluate(`u.innerHTML = ${JSON.stringify(rows(["Beta", "Beta"]))}`);
  expect(await look(page, {ref})).toMatchObject({failed: "stale_ref"});
});

test("find ranks what comes closest to a few words", async () => {
  await using page = await open(
    `<nav aria-label=Main><a href=/a>Orders</a></nav><ul><li>Order 1001 <button>Delete</button></li><li>Order 1002 <button>Delete</button></li></ul><button disabled>Save draft</button>`,
  );
  const {matches} = worked(await page.call("find", {query: "delete order 1002", limit: 3}));
  expect(matches[0]).toMatchObject({
    role: "button",
    name: "Delete",
    visible: true,
    enabled: true,
    where: expect.stringContaining("1002"),
  });
  expect(worked(await page.call("find", {query: "save button", limit: 3})).matches[0]).toMatchObject({
    name: "Save draft",
    enabled: false,
    box: {width: expect.any(Number)},
  });
  expect(worked(await page.call("find", {target: {role: "button"}, limit: 2}))).toMatchObject({
    total: 3,
    matches: [{}, {}],
  });
});
