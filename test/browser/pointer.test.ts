import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {type Agent, openWorld, type World} from "../support/world.ts";

describe("click", () => {
  let world: World;
  let agent: Agent;
  beforeAll(async () => {
    world = await openWorld();
    agent = await world.agent();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test("clicks a button by name in a background tab, once and trusted", async () => {
    const tab = await world.lend(agent, "/click", `<button id="go">Go</button><output id="o"></output>`);
    const result = await agent.ok("click", {tab, target: "Go"});
    expect(result.action).toMatchObject({
      effect: "unverifiable",
      route: "trusted_input",
      delivery: {mode: "background"},
    });
    expect(result.target).toMatchObject({
      element: {role: "button", name: "Go", tag: "button"},
      candidates: 1,
    });
    const record = await world.eyes.inPage<{type: string; id: string; trusted: boolean}[]>(
      "/click",
      "__record.filter((e) => e.type === 'click')",
    );
    expect(record).toEqual([{type: "click", id: "go", trusted: true}]);
  });
});
