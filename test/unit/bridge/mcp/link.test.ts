// SUBLET_SESSION, as the MCP server reads it.
import {expect, it} from "vitest";
import {parseSession} from "../../../../bridge/mcp/link.ts";

it("reads name:token, where the name may hold a colon", () => {
  expect(parseSession("work:t0k3n")).toEqual({session: "work", token: "t0k3n"});
  expect(parseSession("work: again:t0k3n")).toEqual({session: "work: again", token: "t0k3n"});
});

it("is nothing when it is not set", () => {
  expect(parseSession(undefined)).toBeUndefined();
  expect(parseSession("")).toBeUndefined();
});

it.each(["work", ":token", "work:"])(
  "%j is an error that says how it reads, and not a new session",
  (text) => {
    expect(() => parseSession(text)).toThrow("SUBLET_SESSION must read name:token");
  },
);
