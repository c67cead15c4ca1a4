// Sessions: who holds which tabs, and the end of a session.
import {z} from "zod";
import {defineOperation} from "../operation.ts";
import {markSchema, tabOriginSchema} from "./tabs.ts";

export const sessionList = defineOperation({
  name: "session_list",
  where: "extension",
  title: "List sessions",
  description:
    "Lists the sessions that hold tabs in this browser, with their leases and how long they have been idle.",
  effect: "read",
  input: z.strictObject({}),
  output: z.array(
    z.strictObject({
      session: z.string(),
      name: z.string(),
      own: z.boolean().describe("It is your own session."),
      idle_ms: z.number(),
      leases: z.array(
        z.strictObject({
          tab_id: z.string(),
          title: z.string(),
          url: z.string(),
          origin: tabOriginSchema,
          mark: markSchema.nullable(),
          since_ms: z.number(),
          last_action: z.string().nullable(),
        }),
      ),
    }),
  ),
  errors: [],
  positional: [],
  examples: [{input: {}, says: "every session of this browser"}],
  mcp: false,
});

export const sessionFinalize = defineOperation({
  name: "session_finalize",
  where: "extension",
  title: "Finalize the session",
  description:
    "Ends the session: the person's tabs go back to them, tabs you opened are closed unless marked or listed in keep.",
  effect: "destroy",
  input: z.strictObject({
    keep: z
      .array(
        z.strictObject({
          tab: z.string().describe("A leased tab."),
          as: markSchema.describe("Kept for the person, or for a later session."),
        }),
      )
      .max(64)
      .default([])
      .describe("Tabs to keep open, and for whom."),
  }),
  output: z.strictObject({
    closed: z.array(z.string()),
    kept: z.array(z.strictObject({tab_id: z.string(), as: z.enum(["person", "deliverable", "handoff"])})),
    failed: z.array(z.strictObject({tab_id: z.string(), reason: z.string()})),
  }),
  errors: ["tab_close_failed", "tab_release_failed", "page_not_in_session"],
  positional: [],
  examples: [{input: {keep: [{tab: "t5", as: "deliverable"}]}, says: "end, and leave t5 with the person"}],
  mcp: true,
});
