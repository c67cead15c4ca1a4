// Prepare: what can be acted on, what cannot and why, and where the press would go.
import {afterAll, expect, test} from "vitest";
import type {EngineCalls, PageTarget, Purpose} from "../../../extension/page/contract.ts";
import {closeBrowser, type EnginePage, open, worked} from "../../support/engine-page.ts";

afterAll(closeBrowser);

type Request = EngineCalls["prepare"]["request"];

const prepare = (
  page: EnginePage,
  target: PageTarget | null,
  purpose: Purpose,
  more: Partial<Request> = {},
) => page.call("prepare", {target, purpose, gesture: null, ...more});

test("hidden things say what hides them, and by which ancestor", async () => {
  await using page = await open(`
    <div id=none style="display:none"><button>Inside none</button></div>
    <button style="visibility:hidden">Invisible</button>
    <details><summary>More</summary><button>In details</button></details>
    <div aria-label=Accordion role=group style="height:0;overflow:hidden"><button>Collapsed</button></div>
    <a href=# id=empty aria-label=Empty></a>
    <svg width=20 height=20><g display=none><text id=t y=10>Hidden text</text></g></svg>`);
  expect(await prepare(page, {guess: "Inside none"}, "click")).toMatchObject({
    failed: "not_visible",
    data: {details: {why: "display: none", no_box: true}},
  });
  expect(await prepare(page, {guess: "Invisible"}, "click")).toMatchObject({
    failed: "not_visible",
    message: expect.stringContaining("visibility: hidden"),
  });
  expect(await prepare(page, {guess: "In details"}, "click")).toMatchObject({
    failed: "not_visible",
    data: {details: {why: "a closed details element"}},
  });
  expect(await prepare(page, {guess: "Collapsed"}, "click")).toMatchObject({
    failed: "not_visible",
    message: expect.stringContaining('group "Accordion"'),
  });
  expect(await prepare(page, {css: "#empty"}, "click")).toMatchObject({
    failed: "not_visible",
    data: {details: {no_box: true}},
  });
  expect(await prepare(page, {css: "#t"}, "click")).toMatchObject({failed: "not_visible"});
});

test("disabled by itself, by a fieldset, by aria-disabled, by inert; not in the first legend", async () => {
  await using page = await open(`<button disabled>One</button>
    <fieldset disabled><legend><input type=checkbox aria-label=Enable></legend><button>Two</button></fieldset>
    <div aria-disabled=true><button>Three</button></div><div inert><button>Four</button></div>`);
  for (const [name, why] of [
    ["One", "disabled"],
    ["Two", "a disabled fieldset"],
    ["Three", "aria-disabled"],
    ["Four", "inert"],
  ] as const) {
    expect(await prepare(page, {role: "button", name}, "click"), name).toMatchObject({
      failed: "not_enabled",
      data: {details: {why}},
    });
  }
  expect(worked(await prepare(page, {guess: "Enable"}, "check", {checked: true})).already).toBe(false);
});

test("the wrong kind of control is said at once", async () => {
  await using page = await open(
    `<button>Go</button><input aria-label=Name readonly value=x><div role=listbox aria-label=List><div role=option>A</div></div>`,
  );
  expect(await prepare(page, {guess: "Go"}, "fill", {value: "x"})).toMatchObject({
    failed: "not_a_text_field",
    data: {details: {is: 'button "Go" (<button>)'}},
  });
  expect(await prepare(page, {guess: "Go"}, "check")).toMatchObject({failed: "not_checkable"});
  expect(await prepare(page, {guess: "List"}, "select", {options: {labels: ["A"]}})).toMatchObject({
    failed: "not_a_select",
  });
  expect(await prepare(page, {css: "body"}, "upload")).toMatchObject({failed: "not_a_file_input"});
  expect(await prepare(page, {guess: "Name"}, "fill", {value: "y"})).toMatchObject({failed: "not_editable"});
});

test("a row under a sticky header is scrolled to where it can be pressed", async () => {
  await using page =
    await open(`<div id=sc style="height:260px;overflow:auto"><div style="position:sticky;top:0;height:60px;background:#9cf;z-index:2">Filters</div>
    <div id=rows></div></div><script>for (let i = 1; i <= 40; i++) rows.innerHTML += '<button style="display:block;height:40px;width:200px">Row ' + i + '</button>';
    sc.scrollTop = rows.children[11].offsetTop - sc.offsetTop - 8</script>`);
  const {point, scrolled} = worked(await prepare(page, {guess: "Row 12"}, "click"));
  expect(scrolled).toBe(true);
  expect(await page.page.evaluate(`document.elementFromPoint(${point?.x}, ${point?.y}).textContent`)).toBe(
    "Row 12",
  );
  expect(worked(await prepare(page, {guess: "Row 12"}, "click")).scrolled).toBe(false);
});

test("far below the fold, inside a scroller with smooth scrolling: the press goes there at once", async () => {
  await using page = await open(`<style>*{scroll-behavior:smooth}</style><div style="height:5000px"></div>
    <div id=sc style="height:100px;overflow:auto"><div style="height:3000px"></div><button>Deep</button></div>`);
  const {point} = worked(await prepare(page, {guess: "Deep"}, "click"));
  expect(await page.page.evaluate(`document.elementFromPoint(${point?.x}, ${point?.y}).textContent`)).toBe(
    "Deep",
  );
});

test("a parked drawer fails at once, and leaves the page where it was", async () => {
  await using page =
    await open(`<button>Open</button><div style="position:fixed;top:60px;right:0;width:240px;transform:translateX(110%)"><button>Layout</button></div>
    <button style="position:absolute;left:-9999px">Skip</button>`);
  expect(await prepare(page, {guess: "Layout"}, "click")).toMatchObject({
    failed: "not_visible",
    data: {details: {why: "offscreen"}},
  });
  expect(await prepare(page, {guess: "Skip"}, "click")).toMatchObject({
    failed: "not_visible",
    data: {details: {why: "offscreen"}},
  });
});

test("a covered control names its cover, and the page is not left scrolled", async () => {
  await using page =
    await open(`<div style="height:300px"></div><button>Go</button><div style="height:3000px"></div>
    <div role=dialog aria-label=Cookies style="position:fixed;inset:0">We use cookies</div>`);
  expect(await prepare(page, {guess: "Go"}, "click")).toMatchObject({
    failed: "intercepted",
    data: {blocker: {role: "dialog", name: "Cookies"}},
  });
  expect(await page.page.evaluate("scrollY")).toBe(0);
});

test("what is shown through a slot, inside an open root, in pieces over two lines: all can be pressed", async () => {
  await using page = await open(`<x-slot><button>Slotted</button></x-slot><x-in></x-in>
    <p style="width:140px">Some words and <a href="#x">a link that is broken over lines</a></p>
    <a href="#f" id=f style="display:inline"><div style="float:left;width:80px;height:30px">Floated</div></a><script>
    customElements.define("x-slot", class extends HTMLElement { connectedCallback() { this.attachShadow({mode: "open"}).innerHTML = "<div style='padding:10px'><slot></slot></div>" } });
    customElements.define("x-in", class extends HTMLElement { connectedCallback() { this.attachShadow({mode: "open"}).innerHTML = "<button>Inner <b>bold</b></button>" } });</script>`);
  for (const target of [
    {guess: "Slotted"},
    {guess: "Inner bold"},
    {guess: "a link that is broken over lines"},
    {css: "#f"},
  ] satisfies PageTarget[]) {
    expect(worked(await prepare(page, target, "click")).point, JSON.stringify(target)).not.toBeNull();
  }
});

test("styled checkboxes are checked by their label or wrapper", async () => {
  await using page =
    await open(`<style>.sr{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%)}</style>
    <input class=sr type=checkbox id=news><label for=news style="padding:8px">News</label>
    <label style="padding:8px"><input type=checkbox id=offers style="display:none">Offers</label>
    <div id=wrap style="padding:8px"><input type=checkbox id=travel style="opacity:0;width:0;height:0" aria-label=Travel><span>Travel</span></div>
    <script>wrap.onclick = (event) => { if (event.target !== travel) travel.checked = !travel.checked }</script>`);
  let id = 100;
  for (const name of ["News", "Offers", "Travel"]) {
    const gesture = {id: ++id, kind: "pointer" as const, presses: 1};
    const {point, element, before, already} = worked(
      await prepare(page, {guess: name}, "check", {checked: true, gesture}),
    );
    expect({name, role: element.role, checked: before.checked, already}).toEqual({
      name,
      role: "checkbox",
      checked: false,
      already: false,
    });
    if (point === null) throw new Error(`no point for ${name}`);
    await page.press(point);
    const settled = await page.call("settle", {gesture: gesture.id, ref: element.ref});
    expect(settled.guard?.press, name).toBe("passed");
    expect(settled.after?.checked, name).toBe(true);
    expect(worked(await prepare(page, {guess: name}, "check", {checked: true})).already).toBe(true);
  }
});

test("an endless animation of the target or elsewhere does not hold it up; a sliding drawer does", async () => {
  await using page =
    await open(`<style>@keyframes p{from{transform:scale(1)}to{transform:scale(1.12)}}@keyframes s{to{transform:rotate(360deg)}}
    @keyframes slide{from{transform:translateX(-300px)}to{transform:none}}
    #b{animation:p .4s infinite alternate;margin:40px}#spin{animation:s 1s linear infinite;width:20px;height:20px}
    #d{animation:slide 6s linear;position:absolute;left:200px;top:200px}</style><button id=b>Guess</button><div id=spin></div><div id=d><button>Sliding</button></div>`);
  expect(worked(await prepare(page, {guess: "Guess"}, "click")).point).not.toBeNull();
  expect(await prepare(page, {guess: "Sliding"}, "click")).toMatchObject({failed: "not_stable"});
  await page.page.evaluate("document.getElementById('d').getAnimations()[0].finish()");
  expect(worked(await prepare(page, {guess: "Sliding"}, "click")).point).not.toBeNull();
});

test("fill takes the focus and selects everything, so that inserted text replaces it", async () => {
  await using page = await open(`<input aria-label=Name value=old><textarea aria-label=Note>old
text</textarea><input type=email aria-label=Mail value=a@b><input type=number aria-label=Count value=3>
    <div contenteditable aria-label=Body><p>old</p><p>text</p></div><x-f></x-f>
    <script>customElements.define("x-f", class extends HTMLElement { connectedCallback() { this.attachShadow({mode: "open"}).innerHTML = "<input aria-label=Shadow value=old>" } })</script>`);
  for (const name of ["Name", "Note", "Mail", "Count", "Body", "Shadow"]) {
    const value = name === "Count" ? "42" : "new";
    const {write, element, before} = worked(
      await prepare(page, {guess: name}, "fill", {value, gesture: {id: 300, kind: "keys", presses: 1}}),
    );
    expect(write, name).toBe("insert");
    expect(before.value?.startsWith(name === "Mail" ? "a@b" : name === "Count" ? "3" : "old"), name).toBe(
      true,
    );
    await page.cdp.send("Input.insertText", {text: value});
    const {after, guard} = await page.call("settle", {gesture: 300, ref: element.ref});
    expect(after?.value, name).toBe(value);
    expect(guard?.press, name).toBe("passed");
  }
});

test("segmented fields are set, past a tracker of their value", async () => {
  await using page =
    await open(`<input type=date aria-label=Day><input type=range aria-label=Volume step=5><script>window.seen = [];
    for (const input of document.querySelectorAll("input")) {
      let tracked = input.value;
      const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
      Object.defineProperty(input, "value", {get() { return own.get.call(this) }, set(value) { tracked = value; own.set.call(this, value) }});
      input.addEventListener("input", () => { if (own.get.call(input) !== tracked) { tracked = own.get.call(input); seen.push("input " + tracked) } });
      input.addEventListener("change", () => seen.push("change"));
    }</script>`);
  for (const [name, value] of [
    ["Day", "2031-02-28"],
    ["Volume", "70"],
  ] as const) {
    const {write, element} = worked(await prepare(page, {guess: name}, "fill", {value}));
    expect(write).toBe("set");
    worked(await page.call("act", {ref: element.ref, act: "set_value", value}));
    expect((await page.call("settle", {gesture: null, ref: element.ref})).after?.value).toBe(value);
  }
  expect(await page.page.evaluate("seen")).toEqual(["input 2031-02-28", "change", "input 70", "change"]);
});

test("select says which options there are, knows what is chosen, and chooses with both events", async () => {
  await using page =
    await open(`<label>Country <select id=s><option value=SE>Sweden<option value=NO>Norway<option value=DK disabled>Denmark</select></label>
    <script>window.seen = []; s.oninput = () => seen.push("input"); s.onchange = () => seen.push("change")</script>`);
  expect(await prepare(page, {guess: "Country"}, "select", {options: {labels: ["Finland"]}})).toMatchObject({
    failed: "option_not_found",
    data: {available: ["Sweden (SE)", "Norway (NO)", "Denmark (DK)"]},
  });
  expect(await prepare(page, {guess: "Country"}, "select", {options: {values: ["DK"]}})).toMatchObject({
    failed: "not_enabled",
  });
  expect(worked(await prepare(page, {guess: "Country"}, "select", {options: {indexes: [0]}})).already).toBe(
    true,
  );
  const {element, already} = worked(
    await prepare(page, {guess: "Country"}, "select", {options: {labels: [" norway "]}}),
  );
  expect(already).toBe(false);
  worked(await page.call("act", {ref: element.ref, act: "select", options: {labels: ["norway"]}}));
  expect((await page.call("settle", {gesture: null, ref: element.ref})).after).toMatchObject({
    value: "NO",
    selected: ["Norway"],
  });
  expect(await page.page.evaluate("seen")).toEqual(["input", "change"]);
});

test("a secret is compared, and never shown", async () => {
  await using page = await open(`<input type=password aria-label=Password value="Zq9-old">`);
  const prepared = worked(await prepare(page, {guess: "Password"}, "fill", {value: "Zq9-new"}));
  await page.cdp.send("Input.insertText", {text: "Zq9-new"});
  const settled = await page.call("settle", {gesture: null, ref: prepared.element.ref, meant: "Zq9-new"});
  expect(settled.matches).toBe(true);
  expect(
    (await page.call("settle", {gesture: null, ref: prepared.element.ref, meant: "Zq9-old"})).matches,
  ).toBe(false);
  expect(JSON.stringify([prepared, settled])).not.toContain("Zq9");
  // Shown by the page's own eye button, it stays a secret.
  await page.page.evaluate("document.querySelector('input').type = 'text'");
  expect((await page.call("settle", {gesture: null, ref: prepared.element.ref})).after?.value).toBe(
    "[redacted]",
  );
});

test("keys without a target go to what has the focus", async () => {
  await using page = await open("<input id=a aria-label=Search>");
  expect(worked(await prepare(page, null, "press")).element.tag).toBe("body");
  await page.page.evaluate("a.focus()");
  expect(worked(await prepare(page, null, "press")).element).toMatchObject({role: "textbox", name: "Search"});
  expect(await prepare(page, {css: "p"}, "type")).toMatchObject({failed: "not_found"});
});

test("upload takes the hidden input of its label, and a button that opens the chooser", async () => {
  await using page = await open(
    `<label id=l>Photo <input type=file style="display:none"></label><button>Attach</button>`,
  );
  expect(worked(await prepare(page, {guess: "Photo"}, "upload"))).toMatchObject({
    element: {tag: "input"},
    point: null,
  });
  expect(worked(await prepare(page, {guess: "Attach"}, "upload"))).toMatchObject({
    element: {tag: "button"},
    point: {x: expect.any(Number)},
  });
});

test("a point is pressed where it is", async () => {
  await using page = await open(`<canvas id=c width=300 height=200 style="border:1px solid"></canvas>`);
  const {point, element, strategy} = worked(await prepare(page, {point: {x: 33, y: 44}}, "click"));
  expect({point, tag: element.tag, strategy}).toEqual({
    point: {x: 33, y: 44},
    tag: "canvas",
    strategy: "point",
  });
  expect(worked(await prepare(page, {css: "#c"}, "click", {position: {x: 5, y: 6}})).point).toEqual({
    x: 13,
    y: 14,
  });
});
