// Moving a tab to another page.
import {z} from "zod";
import {expectSchema} from "../condition.ts";
import {LIMITS} from "../limits.ts";
import {actingFields, defineOperation} from "../operation.ts";

export const navigate = defineOperation({
  name: "navigate",
  where: "extension",
  title: "Navigate",
  description:
    "Takes a leased tab to a URL and answers with the status. A 4xx or 5xx that brings a page counts as loaded.",
  effect: "act",
  input: z.strictObject({
    url: z.string().min(1).max(2048).describe("A full http or https URL."),
    wait_until: z
      .enum(["commit", "dom", "load"])
      .default("dom")
      .describe("How far to wait: the new document is there, parsed, or loaded."),
    discard_changes: z
      .boolean()
      .default(false)
      .describe("true when the person agreed to lose unsaved input in the page."),
    ...actingFields,
    timeout_ms: z
      .int()
      .min(0)
      .max(LIMITS.operationTimeoutMaxMs)
      .default(LIMITS.navigationTimeoutMs)
      .describe("How long the page may take."),
    expect: expectSchema.optional().describe("What must hold afterwards."),
  }),
  output: z.strictObject({
    status: z.int().nullable().describe("HTTP status of the document; null when there was none."),
    redirects: z.int().describe("How many redirects led there."),
    changes: z.string().optional().describe("The outline afterwards, when observe was asked."),
  }),
  errors: [
    "invalid_url",
    "page_not_loaded",
    "unsaved_changes",
    "dialog_open",
    "timeout",
    "expectation_failed",
    "expectation_unknown",
  ],
  positional: ["url"],
  examples: [{input: {url: "https://example.com/"}, says: "go to example.com"}],
  mcp: true,
});
