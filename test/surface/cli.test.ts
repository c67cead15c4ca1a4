// The command line as a person or a script meets it: the built bin, with a real browser.
import {existsSync, readdirSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {VERSION} from "../../bridge/version.ts";
import {actionResultSchema, brokenRules} from "../../shared/result.ts";
import {html} from "../support/pages.ts";
import {openWorld, type World} from "../support/world.ts";
import {type Ran, scratchHome, sublet} from "./bin.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

async function openPage(path: string): Promise<string> {
  const body = `<label>Name <input></label><button onclick="out.textContent = 'Saved'">Save</button><p id="out"></p>`;
  world.pages.set(path, html(body, `Page ${path}`));
  await world.openInBackground(world.pages.url(path));
  return world.pages.url(path);
}

const resultOf = ({out}: Ran) => {
  const result = actionResultSchema.parse(JSON.parse(out));
  expect(brokenRules(result)).toEqual([]);
  return result;
};

describe("without a bridge", () => {
  test("--version and --help answer at once", async () => {
    expect(await sublet(["--version"])).toEqual({code: 0, out: `${VERSION}\n`, err: ""});
    const help = await sublet(["--help"]);
    expect(help).toMatchObject({code: 0, err: ""});
    expect(help.out).toContain("tab-claim");
    expect(await sublet([])).toEqual(help);
    expect((await sublet(["click", "--help"])).out).toContain("Usage: sublet click [options] [target]");
  });

  test.each<[string[], number, string]>([
    [["clik"], 2, "unknown command 'clik' (Did you mean click?)"],
    [["click", "--foo"], 2, "click takes --target, --button"],
    [["click"], 2, "click needs a target"],
    [["tab-claim", "--url", "a", "--title", "b"], 2, "give exactly one of tab, active, url or title"],
    [["click", "e1", "--count", "two"], 2, "count: expected number"],
  ])("%j says what was expected, and starts nothing", async (argv, code, words) => {
    await using home = await scratchHome();
    const ran = await sublet(argv, {SUBLET_HOME: home.path});
    expect(ran).toMatchObject({code, out: ""});
    expect(ran.err).toContain(words);
    expect(readdirSync(home.path)).toEqual([]);
  });

  test("a mistake is JSON too with --json", async () => {
    const ran = await sublet(["click", "--foo", "--json"]);
    expect(ran).toMatchObject({code: 2, err: ""});
    expect(resultOf(ran).error?.code).toBe("invalid_arguments");
  });

  test("status says so, stop has nothing to do, and the first command starts one", async () => {
    await using home = await scratchHome();
    const env = {SUBLET_HOME: home.path};
    expect((await sublet(["status"], env)).out).toContain("The bridge is not running.");
    expect(JSON.parse((await sublet(["status", "--json"], env)).out)).toEqual({running: false});
    expect((await sublet(["stop"], env)).out).toBe("The bridge was not running.\n");

    const listed = await sublet(["tab-list"], env);
    expect(listed.code).toBe(1);
    expect(listed.err).toMatch(/^Failed: [\s\S]*\[browser_unavailable][\s\S]*\nNext: Start the browser/);
    expect(JSON.parse((await sublet(["status", "--json"], env)).out)).toMatchObject({
      running: true,
      browsers: [],
    });
    expect((await sublet(["stop"], env)).out).toBe("The bridge has ended.\n");
    expect(JSON.parse((await sublet(["status", "--json"], env)).out)).toEqual({running: false});
  });

  test("doctor finds what is wrong, and says the fix", async () => {
    await using home = await scratchHome();
    const ran = await sublet(["doctor", "--json"], {SUBLET_HOME: home.path});
    const {ok, data} = resultOf(ran);
    expect(ok).toBe(true);
    expect(data).toMatchObject({healthy: false});
    expect(ran.out).toContain('"fix"');
  });
});

test("the main job, in one session of the shell", async () => {
  const url = await openPage("/cli-job");
  const list = await sublet(["tab-list", "cli-job"]);
  expect(list).toMatchObject({code: 0, err: ""});
  expect(list.out).toContain(`"Page /cli-job" ${url}`);
  expect((await sublet(["tab-claim", "--url", url])).code).toBe(0);
  const filled = await sublet(["fill", "Name", "Ada"]);
  expect(filled).toMatchObject({code: 0, out: expect.stringContaining('It holds now: "Ada"')});
  const clicked = resultOf(
    await sublet(["click", "Save", "--expect", '{"type": "text_visible", "text": "Saved"}', "--json"]),
  );
  expect(clicked).toMatchObject({ok: true, verification: {status: "passed"}});

  const kept = () => readdirSync(join(world.home, "state", "shells"));
  expect(kept()).toHaveLength(1);
  expect((await sublet(["session-finalize"])).code).toBe(0);
  expect(kept()).toEqual([]);
  const next = resultOf(await sublet(["tab-list", "--json"]));
  expect(next.session_id).not.toBe(clicked.session_id);
  await sublet(["session-finalize"]);
});

test("sessions are kept apart by name, by --session or SUBLET_SESSION", async () => {
  const url = await openPage("/apart");
  expect((await sublet(["tab-claim", "--url", url, "--session", "one"])).code).toBe(0);
  expect((await sublet(["observe"], {SUBLET_SESSION: "one"})).out).toContain('button "Save"');

  const refused = await sublet(["tab-claim", "--url", url, "--session", "two"]);
  expect(refused.code).toBe(4);
  expect(refused.err).toContain("[already_claimed]");
  const none = await sublet(["observe", "--session", "two"]);
  expect(none.code).toBe(4);
  expect(none.err).toContain("[no_tab]");

  for (const session of ["one", "two"])
    expect((await sublet(["session-finalize", "--session", session])).code).toBe(0);
});

test("the exit code says what kind of failure it was", async () => {
  const url = await openPage("/codes");
  const session = ["--session", "codes"];
  await sublet(["tab-claim", "--url", url, ...session]);
  expect((await sublet(["click", "Nowhere", "--timeout-ms", "0", ...session])).code).toBe(3);
  const unexpected = await sublet([
    "click",
    "Save",
    "--expect",
    '{"type": "title_equals", "value": "x"}',
    "--expect-timeout-ms",
    "10",
    ...session,
  ]);
  expect(unexpected.code).toBe(7);
  expect(unexpected.err).toMatch(/^It happened, but: /);
  expect((await sublet(["navigate", "javascript:alert(1)", ...session])).code).toBe(2);
  await sublet(["session-finalize", ...session]);
});

test("a screenshot is a file that it names", async () => {
  const url = await openPage("/shot");
  const session = ["--session", "shot"];
  await sublet(["tab-claim", "--url", url, ...session]);
  const ran = await sublet(["screenshot", "--json", ...session]);
  const path = resultOf(ran).evidence?.[0]?.path ?? "";
  expect(existsSync(path)).toBe(true);
  expect(ran.out).not.toContain('"base64"');
  await sublet(["session-finalize", ...session]);
});

test("status tells of the browser and the sessions, and no token anywhere", async () => {
  await sublet(["tab-list", "--session", "told"]);
  const {out} = await sublet(["status"]);
  expect(out).toContain("connected");
  expect(out).toContain('"told"');
  const json = await sublet(["status", "--json"]);
  expect(json.out).not.toMatch(/token|key"/);
  await sublet(["session-finalize", "--session", "told"]);
});
