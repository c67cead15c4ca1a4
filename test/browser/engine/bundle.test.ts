// The engine as it goes into a page: small, by itself, and invisible to the page.
import {afterAll, expect, test} from "vitest";
import {closeBrowser, engineSource, open} from "../../support/engine-page.ts";

afterAll(closeBrowser);

test("the script is under 60 kB and brings nothing along", async () => {
  const source = await engineSource();
  expect(source.length).toBeLessThan(60_000);
  expect(source).not.toMatch(/\bchrome\.|\bimport\b\(|\brequire\(|\beval\(|new Function/);
});

test("evaluated twice in one world, it is one engine", async () => {
  await using page = await open("<button>Go</button>");
  const find = `sublet.call("find", {prefix: "", base: 0}, {target: {css: "button"}, limit: 1}).value.matches[0].ref`;
  const first = await page.inWorld(find);
  await page.inWorld(`${await engineSource()};0`);
  expect(await page.inWorld(find)).toBe(first);
});

test("the page sees nothing of it: no global, no attribute, no event", async () => {
  await using page =
    await open(`<button id=b>Go</button><script>window.seen = []; const send = EventTarget.prototype.dispatchEvent;
    EventTarget.prototype.dispatchEvent = function (event) { seen.push(event.type); return send.call(this, event) };
    new MutationObserver((records) => seen.push(...records.map((record) => record.type))).observe(document, {subtree: true, attributes: true, childList: true})</script>`);
  await page.call("hello", {});
  await page.call("outline", {mode: "outline", maxChars: 4000, viewport: false});
  await page.call("prepare", {
    target: {guess: "Go"},
    purpose: "click",
    gesture: {id: 1, kind: "pointer", presses: 1},
  });
  await page.call("settle", {gesture: 1, ref: "e1"});
  await page.call("leave", {});
  expect(await page.page.evaluate("[...seen, typeof sublet]")).toEqual(["undefined"]);
});
