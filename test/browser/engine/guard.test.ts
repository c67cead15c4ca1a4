// The event-time guard, against what the page itself recorded of trusted input (spec 4.4, spikes §1).
import {afterAll, expect, test} from "vitest";
import type {PageTarget, Prepared, Settled} from "../../../extension/page/contract.ts";
import {closeBrowser, type EnginePage, open, worked} from "../../support/engine-page.ts";

afterAll(closeBrowser);

const recorder = `<script>
window.seen = [];
for (const type of ["pointerdown","mousedown","pointerup","mouseup","click","auxclick","contextmenu","dblclick"]) {
  document.addEventListener(type, (event) => seen.push(type + ":" + (event.target.id || event.target.localName)), true);
}
</script>`;

let gestures = 0;

async function prepareClick(
  page: EnginePage,
  target: PageTarget,
  presses = 1,
): Promise<Prepared & {gesture: number}> {
  const gesture = ++gestures;
  const outcome = await page.call("prepare", {
    target,
    purpose: "click",
    gesture: {id: gesture, kind: "pointer", presses},
  });
  return {...worked(outcome), gesture};
}

async function click(
  page: EnginePage,
  target: PageTarget,
  options: {button?: "left" | "right" | "middle"; count?: number} = {},
): Promise<Settled & {prepared: Prepared}> {
  const prepared = await prepareClick(page, target, options.count ?? 1);
  if (prepared.point === null) throw new Error("no point");
  await page.press(prepared.point, options);
  return {...(await page.call("settle", {gesture: prepared.gesture, ref: prepared.element.ref})), prepared};
}

const seen = (page: EnginePage): Promise<string[]> => page.page.evaluate("window.seen") as Promise<string[]>;

test("a click on a button reaches the page and is recorded", async () => {
  await using page = await open(
    `${recorder}<button id=b onclick="this.setAttribute('aria-pressed', 'true')">Go</button>`,
  );
  const {guard, after, domChanged, prepared} = await click(page, {guess: "Go"});
  expect(guard).toEqual({press: "passed", clicked: true, keysPassed: 0, keysStopped: 0, pointerOnly: false});
  expect(prepared.before.pressed).toBeUndefined();
  expect(after?.pressed).toBe(true);
  expect(domChanged).toBe(true);
  expect(await seen(page)).toEqual(["pointerdown:b", "mousedown:b", "pointerup:b", "mouseup:b", "click:b"]);
});

test("a button that runs away from the pointer is not pressed, and neither is what lies below it", async () => {
  await using page =
    await open(`${recorder}<div id=below style="height:200px"><button id=b style="position:absolute;left:20px;top:20px">Go</button></div>
    <script>document.addEventListener("mousemove", () => { b.style.left = "400px"; })</script>`);
  const {guard} = await click(page, {guess: "Go"});
  expect(guard?.press).toBe("stopped");
  expect(guard?.clicked).toBe(false);
  expect(await seen(page)).toEqual([]);
});

test("an overlay put over the button as the pointer comes swallows nothing, and is named", async () => {
  await using page = await open(`${recorder}<button id=b>Go</button><script>
    document.addEventListener("pointermove", () => {
      if (document.getElementById("o")) return;
      document.body.insertAdjacentHTML("beforeend", '<dialog open id=o aria-label="Cookies" style="position:fixed;inset:0;width:100%;height:100%">We use cookies</dialog>');
    })</script>`);
  const {guard} = await click(page, {guess: "Go"});
  expect(guard?.press).toBe("stopped");
  expect(guard?.blocker).toMatchObject({role: "dialog", name: "Cookies", tag: "dialog"});
  expect(await seen(page)).toEqual([]);
  const again = await page.call("prepare", {target: {guess: "Go"}, purpose: "click", gesture: null});
  expect(again).toMatchObject({failed: "intercepted", data: {blocker: {role: "dialog"}}});
});

test("a label's second click on its control is let through", async () => {
  await using page = await open(`${recorder}<label id=l for=c>Agree</label><br><input id=c type=checkbox>`);
  const {guard} = await click(page, {css: "#l"});
  expect(guard).toMatchObject({press: "passed", clicked: true});
  expect(await page.page.evaluate("c.checked")).toBe(true);
  expect((await seen(page)).filter((entry) => entry.startsWith("click"))).toEqual(["click:l", "click:c"]);
});

test("a press on a stopped label does not toggle its control either", async () => {
  await using page =
    await open(`${recorder}<button id=b style="position:absolute;left:0;top:0;width:100px;height:40px">Go</button>
    <label id=l style="position:absolute;left:0;top:0;width:100px;height:40px;z-index:-1"><input id=c type=checkbox>Agree</label>
    <script>document.addEventListener("mousemove", () => b.remove())</script>`);
  const {guard} = await click(page, {guess: "Go"});
  expect(guard?.press).toBe("stopped");
  expect(await page.page.evaluate("c.checked")).toBe(false);
  expect(await seen(page)).toEqual([]);
});

test("a menu that opens on the press gets the rest of the gesture", async () => {
  await using page = await open(`${recorder}<button id=b style="width:120px">Menu</button><script>
    b.addEventListener("mousedown", () => {
      document.body.insertAdjacentHTML("beforeend", '<div id=m role=menu style="position:fixed;inset:0;z-index:9">Cut</div>');
    })</script>`);
  const {guard} = await click(page, {guess: "Menu"});
  expect(guard?.press).toBe("passed");
  const events = await seen(page);
  expect(events).toContain("mouseup:m");
  expect(events).toContain("mousedown:b");
});

test("a control that captures the pointer gets its release and click", async () => {
  await using page =
    await open(`${recorder}<div id=d role=button tabindex=0 style="width:100px;height:30px">Knob</div>
    <script>d.onpointerdown = (event) => d.setPointerCapture(event.pointerId)</script>`);
  const {guard} = await click(page, {guess: "Knob"});
  expect(guard).toMatchObject({press: "passed", clicked: true});
  expect(await seen(page)).toContain("click:d");
});

test("a double click is one dblclick", async () => {
  await using page = await open(`${recorder}<button id=b>Go</button>`);
  const {guard} = await click(page, {guess: "Go"}, {count: 2});
  expect(guard).toMatchObject({press: "passed", clicked: true});
  expect((await seen(page)).filter((entry) => /click/.test(entry))).toEqual([
    "click:b",
    "click:b",
    "dblclick:b",
  ]);
});

test("the second press of a double click is decided anew", async () => {
  await using page =
    await open(`${recorder}<button id=other style="position:absolute;left:0;top:0;width:100px;height:40px">Delete</button>
    <button id=b style="position:absolute;left:0;top:0;width:100px;height:40px">Go</button>
    <script>b.onclick = () => b.remove()</script>`);
  const {guard} = await click(page, {guess: "Go"}, {count: 2});
  expect(guard).toMatchObject({press: "passed", clicked: true, blocker: {name: "Delete"}});
  const events = await seen(page);
  expect(events).toContain("click:b");
  expect(events.filter((entry) => entry.endsWith("other"))).toEqual([]);
});

test("right and middle buttons are guarded alike", async () => {
  await using page = await open(`${recorder}<button id=b>Go</button>`);
  expect((await click(page, {guess: "Go"}, {button: "right"})).guard).toMatchObject({
    press: "passed",
    clicked: true,
  });
  expect(await seen(page)).toContain("contextmenu:b");
  expect((await click(page, {guess: "Go"}, {button: "middle"})).guard).toMatchObject({
    press: "passed",
    clicked: true,
  });
  expect(await seen(page)).toContain("auxclick:b");
});

test("a control disabled as the pointer comes shows only pointer events", async () => {
  await using page = await open(
    `${recorder}<button id=b>Go</button><script>document.addEventListener("pointermove", () => { b.disabled = true })</script>`,
  );
  const {guard} = await click(page, {guess: "Go"});
  expect(guard).toMatchObject({press: "passed", clicked: false, pointerOnly: true});
  expect(await seen(page)).not.toContain("click:b");
});

test("a press that the page cuts short has no click", async () => {
  await using page = await open(`${recorder}<button id=b onmousedown="this.remove()">Go</button>`);
  const {guard, after} = await click(page, {guess: "Go"});
  expect(guard).toMatchObject({press: "passed", clicked: false, pointerOnly: false});
  expect(after).toBeNull();
});

test("the person's click elsewhere passes while a gesture is open", async () => {
  await using page = await open(
    `${recorder}<button id=b>Go</button><button id=mine style="position:absolute;left:300px;top:300px">Mine</button>`,
  );
  const prepared = await prepareClick(page, {guess: "Go"});
  await page.press({x: 310, y: 310});
  expect(await seen(page)).toContain("click:mine");
  const {guard} = await page.call("settle", {gesture: prepared.gesture, ref: prepared.element.ref});
  expect(guard?.press).toBe("none");
});

test("outside of a gesture nothing is touched, not even after one", async () => {
  await using page = await open(`${recorder}<button id=b>Go</button>`);
  const {prepared} = await click(page, {guess: "Go"});
  await page.page.evaluate("b.style.display = 'none'; seen.length = 0");
  if (prepared.point !== null) await page.press(prepared.point);
  expect((await seen(page)).length).toBeGreaterThan(0);
});

test("events made by the page's own scripts are none of the guard's business", async () => {
  await using page = await open(`${recorder}<button id=b>Go</button><button id=o>Other</button>`);
  const prepared = await prepareClick(page, {guess: "Go"});
  await page.page.evaluate("o.click()");
  expect(await seen(page)).toEqual(["click:o"]);
  const {guard} = await page.call("settle", {gesture: prepared.gesture, ref: prepared.element.ref});
  expect(guard?.press).toBe("none");
});

test("a frame that only stops, stops", async () => {
  await using page = await open(`${recorder}<button id=b>Go</button>`);
  await page.call("arm_stop", {gesture: {id: 900, kind: "pointer", presses: 1}});
  await page.press({x: 20, y: 18});
  expect(await seen(page)).toEqual([]);
  expect(await page.call("disarm", {gesture: 900})).toMatchObject({press: "stopped", blocker: {name: "Go"}});
  await page.press({x: 20, y: 18});
  expect(await seen(page)).toContain("click:b");
});

test("the engine is ahead of the page's first script, and says when it is not", async () => {
  const html = `<script>window.seen = []; addEventListener("click", () => seen.push("page"), true)</script><button id=b>Go</button>
    <div id=o style="position:fixed;inset:0;display:none"></div><script>document.addEventListener("pointermove", () => { o.style.display = "block" })</script>`;
  await using early = await open(html);
  expect(await early.call("hello", {})).toEqual({late: false});
  expect((await click(early, {guess: "Go"})).guard?.press).toBe("stopped");
  expect(await seen(early)).toEqual([]);
  await using late = await open(html, {late: true});
  expect(await late.call("hello", {})).toEqual({late: true});
});

test("document.open() takes the listeners away, and arming puts them back", async () => {
  await using page = await open("<button>Old</button>");
  await page.page.evaluate(
    `document.open(); document.write('<button id=b>New</button><div id=o style="position:fixed;inset:0;display:none"></div><script>window.seen=[];for(const t of ["pointerdown","mousedown","click"])document.addEventListener(t,e=>seen.push(t),true);document.addEventListener("pointermove",()=>{o.style.display="block"})<\\/script>'); document.close()`,
  );
  const {guard, prepared} = await click(page, {guess: "New"});
  expect(prepared.late).toBe(true);
  expect(guard?.press).toBe("stopped");
  expect(await seen(page)).toEqual([]);
});

test("in an adopted closed root the button inside decides, not its host", async () => {
  await using page =
    await open(`<x-host id=h></x-host><script>window.seen = []; const root = h.attachShadow({mode: "closed"});
    root.innerHTML = '<button style="position:absolute;left:10px;top:10px;width:80px;height:30px">Delete</button><button style="position:absolute;left:10px;top:10px;width:80px;height:30px">Publish</button>';
    root.lastChild.onclick = () => seen.push("publish"); root.firstChild.onclick = () => seen.push("delete"); window.cover = () => root.lastChild.remove();
    </script>`);
  await adopt(page, "x-host");
  const {guard} = await click(page, {role: "button", name: "Publish"});
  expect(guard).toMatchObject({press: "passed", clicked: true});
  expect(await seen(page)).toEqual(["publish"]);
  const prepared = await prepareClick(page, {role: "button", name: "Publish"});
  await page.page.evaluate("cover()");
  if (prepared.point !== null) await page.press(prepared.point);
  const settled = await page.call("settle", {gesture: prepared.gesture, ref: prepared.element.ref});
  expect(settled.guard).toMatchObject({press: "stopped", blocker: {name: "Delete"}});
  expect(await seen(page)).toEqual(["publish"]);
});

test("keys pass while the armed field has the focus, and stop when it has lost it", async () => {
  await using page =
    await open(`<input id=a aria-label=First><input id=b aria-label=Second><script>window.seen = [];
    addEventListener("keydown", (event) => seen.push(event.key + ":" + event.target.id));
    a.addEventListener("input", () => { if (a.value.length === 2) b.focus() })</script>`);
  const prepared = worked(
    await page.call("prepare", {
      target: {guess: "First"},
      purpose: "type",
      gesture: {id: 901, kind: "keys", presses: 1},
    }),
  );
  for (const text of ["x", "y", "z"]) {
    await page.cdp.send("Input.dispatchKeyEvent", {type: "keyDown", key: text, text});
    await page.cdp.send("Input.dispatchKeyEvent", {type: "keyUp", key: text});
  }
  const {guard, after} = await page.call("settle", {gesture: 901, ref: prepared.element.ref});
  expect(after?.value).toBe("xy");
  expect(await page.page.evaluate("b.value")).toBe("");
  expect(await seen(page)).toEqual(["x:a", "y:a"]);
  expect(guard?.keysPassed).toBe(4);
  expect(guard?.keysStopped).toBeGreaterThan(0);
});

test("inserted text goes nowhere when a dialog takes the focus", async () => {
  await using page = await open(`<input id=a aria-label=Amount value=5><input id=b>`);
  const prepared = worked(
    await page.call("prepare", {
      target: {guess: "Amount"},
      purpose: "fill",
      value: "7",
      gesture: {id: 902, kind: "keys", presses: 1},
    }),
  );
  await page.page.evaluate("b.focus()");
  await page.cdp.send("Input.insertText", {text: "7"});
  const {guard, after} = await page.call("settle", {gesture: 902, ref: prepared.element.ref});
  expect(after?.value).toBe("5");
  expect(await page.page.evaluate("b.value")).toBe("");
  expect(guard).toMatchObject({press: "stopped", keysStopped: 1, keysPassed: 0});
});

test("leaving takes every listener along", async () => {
  await using page = await open(`${recorder}<button id=b>Go</button>`);
  await page.call("arm_stop", {gesture: {id: 903, kind: "pointer", presses: 1}});
  await page.call("leave", {});
  await page.press({x: 20, y: 18});
  expect(await seen(page)).toContain("click:b");
  expect((await click(page, {guess: "Go"})).guard?.clicked).toBe(true);
});

/** As the worker does it: the closed root is found by pierce and handed to the engine's world. */
async function adopt(page: EnginePage, host: string): Promise<void> {
  const {root} = await page.cdp.send("DOM.getDocument", {depth: -1, pierce: true});
  type Node = typeof root;
  const walk = (node: Node): Node | undefined =>
    node.localName === host
      ? node.shadowRoots?.[0]
      : (node.children ?? []).map(walk).find((found) => found !== undefined);
  const shadow = walk(root);
  if (shadow === undefined) throw new Error("no closed root");
  const {object} = await page.cdp.send("DOM.resolveNode", {
    backendNodeId: shadow.backendNodeId,
    executionContextId: await page.contextId(),
  });
  await page.cdp.send("Runtime.callFunctionOn", {
    objectId: object.objectId ?? "",
    functionDeclaration: "function () { sublet.adopt(this) }",
  });
}
