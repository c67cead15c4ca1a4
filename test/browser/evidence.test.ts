import {readFile, stat} from "node:fs/promises";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {type Agent, openWorld, type World} from "../support/world.ts";

let world: World;
let agent: Agent;
beforeAll(async () => {
  world = await openWorld();
  agent = await world.agent();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Width and height as the PNG itself has them. */
async function pngSize(path: string): Promise<[number, number]> {
  const bytes = await readFile(path);
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

describe("screenshot", () => {
  const tall = `<style>body{margin:0}</style><div style="height:3000px;background:linear-gradient(red,blue)"></div><button id="b" style="display:block;width:120px;height:40px">Low</button>`;

  test("viewport, full page, element and a narrower one, of a background tab", async () => {
    const tab = await world.lend(agent, "/tall", tall);
    const view = await agent.ok("screenshot", {tab});
    const file = view.evidence?.[0];
    expect(file).toMatchObject({kind: "screenshot", mime: "image/png"});
    expect(await pngSize(file?.path ?? "")).toEqual([view.data.width, view.data.height]);
    expect((await stat(file?.path ?? "")).mode & 0o777).toBe(0o600);
    expect((await stat(file?.path ?? "")).size).toBe(file?.bytes);

    const full = await agent.ok("screenshot", {tab, full_page: true});
    expect((await pngSize(full.evidence?.[0]?.path ?? ""))[1]).toBeGreaterThanOrEqual(3_040);

    const element = await agent.ok("screenshot", {tab, target: "Low"});
    expect(await pngSize(element.evidence?.[0]?.path ?? "")).toEqual([120, 40]);

    const narrow = await agent.ok("screenshot", {tab, max_width: 300, format: "jpeg"});
    expect(narrow.data.width).toBe(300);
    expect(narrow.evidence?.[0]?.mime).toBe("image/jpeg");
  });

  test("twenty in a row in a hidden tab, none of them blank", async () => {
    const tab = await world.lend(agent, "/many", `<body style="background:#c00">Red</body>`);
    for (let round = 0; round < 20; round += 1) {
      const {evidence} = await agent.ok("screenshot", {tab, max_width: 200});
      expect(evidence?.[0]?.bytes).toBeGreaterThan(200);
    }
  });

  test("an element that is not there", async () => {
    const tab = await world.lend(agent, "/none", "<p>x</p>");
    expect((await agent.run("screenshot", {tab, target: "Nothing"})).error?.code).toBe("not_found");
  });
});

describe("a failed interaction", () => {
  test("comes with a picture of the page", async () => {
    const tab = await world.lend(agent, "/fails", "<h1>No button here</h1>");
    const result = await agent.run("click", {tab, target: "Go", timeout_ms: 0});
    expect(result.error?.code).toBe("not_found");
    expect(result.evidence).toMatchObject([{kind: "screenshot"}]);
    expect((await readFile(result.evidence?.[0]?.path ?? "")).subarray(0, 2).toString("hex")).toBe("ffd8");
  });
});

describe("a long result", () => {
  test("is kept aside and read in parts", async () => {
    const body = Array.from(
      {length: 3_000},
      (_, index) => `<p>Paragraph ${index} with a few words of its own</p>`,
    ).join("");
    const tab = await world.lend(agent, "/book", body);
    const result = await agent.run("observe", {tab, max_chars: 200_000});
    const note = result.notes?.find(({note}) => note === "result_kept_aside");
    expect(note).toBeDefined();
    const part = await agent.ok("result_get", {result_id: String(note?.result_id), max_chars: 1_000});
    expect(part.data).toMatchObject({complete: false, next_start: 1_000});
    expect((await agent.run("result_get", {result_id: "s9-9"})).error?.code).toBe("invalid_arguments");
  });
});
