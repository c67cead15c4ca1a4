// The outline: what it shows, what it leaves out, what it hides, and how it stays within its budget (contract 2.8).
import {readFileSync} from "node:fs";
import {afterAll, expect, test} from "vitest";
import type {OutlineRequest} from "../../../extension/page/contract.ts";
import {closeBrowser, type EnginePage, open, textOf, worked} from "../../support/engine-page.ts";

afterAll(closeBrowser);

const request: OutlineRequest = {mode: "outline", maxChars: 16_000, viewport: false};
const outline = async (page: EnginePage, more: Partial<OutlineRequest> = {}) =>
  worked(await page.call("outline", {...request, ...more}));
const read = async (page: EnginePage, more: Partial<OutlineRequest> = {}) =>
  textOf(await outline(page, more));

test("a page reads from top to bottom, with refs, states and values", async () => {
  await using page =
    await open(`<header><a href="/home">Home</a></header><main><h1>Orders</h1><p>Two <b>open</b> orders</p>
    <form><label>Name <input value="Ada"></label><label>Note <textarea disabled></textarea></label><label><input type=checkbox checked required> Agree</label>
    <label>Country <select><option>Sweden<option selected>Norway</select></label><input type=range aria-label=Volume value=30>
    <button aria-pressed=true>Bold</button><button aria-expanded=false>Menu</button><button disabled>Pay</button></form>
    <details><summary>More</summary>Hidden text</details><ul><li>One<li><a href="#two">Two</a></ul><table><tr><th>Id<th>State<tr><td>1<td>open</table></main>`);
  expect(await read(page)).toBe(`- banner [ref=e1]
  - link "Home" [ref=e2] /url: /home
- main [ref=e3]
  - heading "Orders" [ref=e4] [level=1]
  - text: Two open orders
  - form [ref=e5]
    - textbox "Name" [ref=e6]: Ada
    - textbox "Note" [ref=e7] [disabled]
    - checkbox "Agree" [ref=e8] [checked] [required]
    - combobox "Country" [ref=e9]: Norway
      - options: Sweden | Norway
    - slider "Volume" [ref=e10]: 30
    - button "Bold" [ref=e11] [pressed]
    - button "Menu" [ref=e12] [expanded=false]
    - button "Pay" [ref=e13] [disabled]
  - button "More" [ref=e14] [expanded=false]
  - list [ref=e15]
    - listitem [ref=e16]: One
    - link "Two" [ref=e18] /url: /#two
  - table [ref=e19]
    - row [ref=e20]
      - columnheader "Id"
      - columnheader "State"
    - row [ref=e21]
      - cell "1"
      - cell "open"`);
});

test("interactive is flat, and only what can be acted on", async () => {
  await using page = await open(
    `<main><h1>Title</h1><ul><li><a href="#a">A</a><li><button>B</button></ul><p>Text</p><input aria-label=C></main>`,
  );
  expect(await read(page, {mode: "interactive"})).toBe(
    `- link "A" [ref=e1] /url: /#a\n- button "B" [ref=e2]\n- textbox "C" [ref=e3]`,
  );
});

test("things that answer a click without saying so are offered once", async () => {
  await using page =
    await open(`<style>.t{cursor:pointer}</style><div class=t><svg width=10 height=10></svg><span>Scan code</span></div><div class=t><span><b>Bank</b> transfer</span></div>
    <span title=Settings style="cursor:pointer;display:inline-block;width:24px;height:24px"></span><div onclick="1">Handler</div><div tabindex=0>Focusable</div>
    <label class=t><input type=checkbox>Box</label><button class=t><span>Button</span></button><div contenteditable aria-label=Editor>words</div><p>Plain</p>`);
  expect(await read(page)).toBe(`- clickable "Scan code" [ref=e1]
- clickable "Bank transfer" [ref=e2]
- clickable "Settings" [ref=e3]
- clickable "Handler" [ref=e4]
- clickable "Focusable" [ref=e5]
- checkbox "Box" [ref=e6]
- button "Button" [ref=e7]
- textbox "Editor" [ref=e8]: words
- text: Plain`);
});

test("what nobody can see is not there; a parked drawer says so", async () => {
  await using page =
    await open(`<button>Seen</button><button style="display:none">No1</button><button style="visibility:hidden">No2</button><div aria-hidden=true><button>No3</button></div>
    <div style="height:0;overflow:hidden"><button>No4</button></div><svg width=20 height=20><g display=none><text y=9>No5</text></g></svg><div hidden>No6</div><template><p>No7</p></template>
    <div style="display:contents"><button>Contents</button></div><div style="visibility:hidden">No8 <button style="visibility:visible">Shown again</button></div>
    <div style="position:fixed;right:0;top:0;width:200px;transform:translateX(110%)"><button>Parked</button></div>`);
  expect(await read(page)).toBe(
    `- button "Seen" [ref=e1]\n- button "Contents" [ref=e2]\n- button "Shown again" [ref=e3]\n- button "Parked" [ref=e4] [offscreen]`,
  );
});

test("secrets read [redacted], whatever their length; other fields and labels are untouched", async () => {
  await using page =
    await open(`<label>User <input value=tester></label><label>Password <input type=password value="Zq9-saved"></label>
    <label>New <input value="Zq9-shown" autocomplete=new-password></label><label>Code <input autocomplete="one-time-code" value=Zq9></label>
    <input name=cardNumber aria-label=Number value="Zq9 4111"><label>Security code <input value=Zq9></label><label>Card holder <input value=Ada></label><input type=password aria-label=Empty>
    <label>PIN <input value=Zq9></label><label>Shipping <input value=fast></label>`);
  const text = await read(page);
  expect(text).not.toContain("Zq9");
  expect(text.match(/: \[redacted\]/g)).toHaveLength(6);
  expect(text).toContain('textbox "User" [ref=e1]: tester');
  expect(text).toContain(": Ada");
  expect(text).toContain('"Shipping" [ref=e10]: fast');
  expect(text).toMatch(/"Empty" \[ref=e8\]$/m);
});

test("within, viewport and focus", async () => {
  await using page = await open(
    `<nav aria-label=Site><a href="#a">A</a></nav><main><button id=b>Here</button><div style="height:3000px"></div><button>Far below</button></main>`,
  );
  await page.page.evaluate("b.focus()");
  const all = await outline(page);
  expect(all.focused).toMatchObject({role: "button", name: "Here"});
  expect(textOf(all)).toContain('button "Here" [ref=e4] [focused]');
  expect(await read(page, {within: {role: "navigation"}})).toBe(
    `- navigation "Site" [ref=e1]\n  - link "A" [ref=e2] /url: /#a`,
  );
  const seen = await read(page, {viewport: true});
  expect(seen).toContain("Here");
  expect(seen).not.toContain("Far below");
  expect(await page.call("outline", {...request, within: {role: "dialog"}})).toMatchObject({
    failed: "not_found",
  });
});

test("frames are named by a ref, for the worker to go on below", async () => {
  await using page = await open(`<iframe title=Payment srcdoc="<button>Pay</button>"></iframe>`);
  const {lines} = await outline(page);
  expect(lines).toEqual([{depth: 0, text: 'iframe "Payment" [ref=e1]', frameRef: "e1"}]);
});

test("a long list is folded with a count, and opened by its ref", async () => {
  const rows = Array.from(
    {length: 400},
    (_, index) => `<li><a href="#${index}">Order number ${index}, some more words about it</a></li>`,
  ).join("");
  await using page = await open(`<ul aria-label=Orders>${rows}</ul><button>After the list</button>`);
  const folded = await outline(page, {maxChars: 4000});
  expect(folded.complete).toBe(false);
  expect(folded.omitted).toBeGreaterThan(380);
  const text = textOf(folded);
  expect(text).toContain("… 387 more li [within ref=e1]");
  expect(text).toContain("Order number 399");
  expect(text).toContain("After the list");
  expect(text.length).toBeLessThanOrEqual(4000);
  const opened = await read(page, {maxChars: 4000, within: {ref: "e1"}});
  expect(opened).toContain("Order number 30,");
  expect((await outline(page, {maxChars: 100_000})).complete).toBe(true);
});

test("what does not fit is counted", async () => {
  await using page = await open(
    Array.from(
      {length: 50},
      (_, index) =>
        `<h2>Heading ${index}</h2><p>${"word ".repeat(40)}</p><div><button>Button ${index}</button></div>`,
    ).join(""),
  );
  const {complete, omitted, lines} = await outline(page, {maxChars: 2000});
  expect(complete).toBe(false);
  expect(omitted).toBeGreaterThan(60);
  expect(textOf({lines}).length).toBeLessThanOrEqual(2000);
});

test("open shadow trees and slots are read in the order they are shown", async () => {
  await using page =
    await open(`<x-card><span slot=title>Title</span><button>Body button</button></x-card><script>customElements.define("x-card", class extends HTMLElement {
    connectedCallback() { this.attachShadow({mode: "open"}).innerHTML = "<h2><slot name=title></slot></h2><div><slot></slot></div><button>Inner</button>" } })</script>`);
  expect(await read(page)).toBe(
    `- heading "Title" [ref=e1] [level=2]\n- button "Body button" [ref=e2]\n- button "Inner" [ref=e3]`,
  );
});

test("every ref of the fixture pages leads back to its element", async () => {
  for (const name of ["engine-names.html", "engine-roles.html"]) {
    await using page = await open(readFileSync(new URL(`../../pages/${name}`, import.meta.url), "utf8"));
    const refs = [...(await read(page, {maxChars: 100_000})).matchAll(/\[ref=(e\d+)\]/g)].map(
      ([, ref]) => ref ?? "",
    );
    expect(refs.length).toBeGreaterThan(60);
    expect(new Set(refs).size).toBe(refs.length);
    for (const ref of refs)
      worked(await page.call("prepare", {target: {ref}, purpose: "look", gesture: null}));
  }
});
