import {afterAll, beforeAll, describe, expect, test} from "vitest";
import type {Condition} from "../../shared/condition.ts";
import {type Agent, openWorld, type World} from "../support/world.ts";

let world: World;
let agent: Agent;
let tab: string;
beforeAll(async () => {
  world = await openWorld();
  agent = await world.agent();
  tab = await world.lend(
    agent,
    "/state",
    `<h1>Order sent</h1><p hidden>Order failed</p><input id="q" aria-label="Quantity" value="12"><input type="checkbox" aria-label="Gift" checked><input type="checkbox" aria-label="Rush">
<button disabled aria-label="Pay" data-state="off">Pay</button><select aria-label="Country"><option value="NO">Norway</option></select><ul><li>One</li><li>Two</li></ul>`,
  );
});
afterAll(() => world[Symbol.asyncDispose]());

const hold: Condition[] = [
  {type: "url_contains", value: "/state"},
  {type: "url_matches", value: "/state$"},
  {type: "title_equals", value: "Page /state"},
  {type: "title_contains", value: "state"},
  {type: "text_visible", text: "Order sent"},
  {type: "text_absent", text: "Order failed"},
  {type: "element_visible", target: "Quantity"},
  {type: "element_absent", target: "Refund"},
  {type: "enabled", target: "Quantity"},
  {type: "disabled", target: {role: "button", name: "Pay"}},
  {type: "checked", target: "Gift"},
  {type: "unchecked", target: "Rush"},
  {type: "value_equals", target: "Quantity", value: "12"},
  {type: "value_contains", target: "Quantity", value: "1"},
  {type: "selected", target: "Country", value: "Norway"},
  {type: "attribute", target: {css: "button"}, name: "data-state", value: "off"},
  {type: "count", target: {role: "listitem"}, equals: 2},
  {type: "no_dialog"},
  {
    type: "all",
    of: [
      {type: "checked", target: "Gift"},
      {type: "not", of: {type: "checked", target: "Rush"}},
    ],
  },
  {
    type: "any",
    of: [
      {type: "text_visible", text: "No such"},
      {type: "text_visible", text: "Order sent"},
    ],
  },
  {type: "dom_stable", ms: 50},
];

describe("expect", () => {
  test.each(hold.map((condition) => [condition.type, condition] as const))(
    "%s holds at once",
    async (_type, condition) => {
      const result = await agent.ok("expect", {tab, conditions: condition, timeout_ms: 2_000});
      expect(result.verification).toMatchObject({status: "passed", checks: [{status: "passed"}]});
    },
  );

  test.each(
    hold
      .filter(({type}) => !["dom_stable", "no_dialog"].includes(type))
      .map((condition) => [condition.type, condition] as const),
  )("the opposite of %s fails", async (_type, condition) => {
    const opposite: Condition = {type: "not", of: condition};
    const result = await agent.run("expect", {tab, conditions: opposite, timeout_ms: 0});
    expect(result).toMatchObject({
      ok: false,
      verification: {status: "failed"},
      error: {code: "expectation_failed"},
    });
  });

  test("unknown is never passed: a missing or doubtful target", async () => {
    const missing = await agent.run("expect", {
      tab,
      conditions: {type: "checked", target: "Nobody"},
      timeout_ms: 0,
    });
    expect(missing).toMatchObject({
      error: {code: "expectation_unknown"},
      verification: {checks: [{reason: "target_missing"}]},
    });
    const many = await agent.run("expect", {
      tab,
      conditions: {type: "enabled", target: {role: "checkbox"}},
      timeout_ms: 0,
    });
    expect(many.verification?.checks[0]).toMatchObject({status: "unknown", reason: "multi_match"});
    const negated = await agent.run("expect", {
      tab,
      conditions: {type: "not", of: {type: "checked", target: "Nobody"}},
      timeout_ms: 0,
    });
    expect(negated.verification?.status).toBe("unknown");
  });

  test("is woken by the change itself, long before its time is up", async () => {
    const waiting = agent.ok("expect", {
      tab,
      conditions: {type: "text_visible", text: "Now here"},
      timeout_ms: 20_000,
    });
    await world.eyes.inPage(
      "/state",
      `new Promise((resolve) => setTimeout(() => { document.body.insertAdjacentHTML("beforeend", "<p>Now here</p>"); resolve(true) }, 200))`,
    );
    const result = await waiting;
    expect(result.timing.duration_ms).toBeLessThan(5_000);
  });

  test("says what was there instead", async () => {
    const result = await agent.run("expect", {
      tab,
      conditions: {type: "value_equals", target: "Quantity", value: "13"},
      timeout_ms: 0,
    });
    expect(JSON.stringify(result.verification?.checks[0]?.observed)).toContain("12");
    expect(result.error).toMatchObject({
      failed: [expect.objectContaining({status: "failed"})],
      state: {url: world.pages.url("/state")},
    });
  });

  test("a condition of a wrong shape is explained", async () => {
    const result = await agent.run("expect", {tab, conditions: {type: "url_matches", value: "("}});
    expect(result.error?.code).toBe("invalid_arguments");
    const wrong = await agent.run("expect", {
      tab,
      conditions: {type: "colour", value: "red"} as unknown as Condition,
    });
    expect(wrong.error?.code).toBe("invalid_arguments");
  });
});
