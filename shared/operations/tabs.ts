// Tabs: listing the person's, opening, claiming, giving back, closing, marking.
import {z} from "zod";
import {browserField, defineOperation, tabField} from "../operation.ts";

export const markSchema = z.enum(["deliverable", "handoff"]);
export type Mark = z.infer<typeof markSchema>;

/** agent: opened by the session. user: it was the person's. */
export const tabOriginSchema = z.enum(["user", "agent"]);
export type TabOrigin = z.infer<typeof tabOriginSchema>;

export const tabSchema = z.strictObject({
  tab_id: z.string(),
  title: z.string(),
  url: z.string(),
  window: z.int().describe("The window's number, as Chrome has it."),
  active: z.boolean().describe("It is the tab shown in its window."),
  lease: z
    .strictObject({
      session: z.string(),
      session_name: z.string(),
      origin: tabOriginSchema,
      mark: markSchema.nullable(),
      state: z.enum(["active", "handoff"]),
    })
    .optional(),
  last_used_ms: z.number().nullable().describe("When the person last looked at it, milliseconds since 1970."),
});
export type Tab = z.infer<typeof tabSchema>;

export const tabList = defineOperation({
  name: "tab_list",
  where: "extension",
  title: "List tabs",
  description:
    "Lists open tabs, most recently used first: the person's (which you may claim), your session's, or all.",
  effect: "read",
  input: z.strictObject({
    ...browserField,
    scope: z
      .enum(["session", "person", "all"])
      .default("all")
      .describe("Whose tabs: your session's, the person's unclaimed ones, or all."),
    query: z.string().max(500).optional().describe("Only tabs whose title or URL contains this."),
    limit: z.int().min(1).max(200).default(20).describe("At most so many."),
  }),
  output: z.array(tabSchema),
  errors: [],
  positional: ["query"],
  examples: [{input: {query: "mail"}, says: "tabs with mail in their title or address"}],
  mcp: true,
});

export const tabOpen = defineOperation({
  name: "tab_open",
  where: "extension",
  title: "Open a tab",
  description:
    "Opens a new tab in the background, in the session's tab group, and leases it to you. Closed at finalize unless marked.",
  effect: "act",
  input: z.strictObject({
    ...browserField,
    url: z.string().max(2048).default("about:blank").describe("Where to go: http, https or about:blank."),
    observe: z.boolean().default(false).describe("Also answer with the page's outline."),
    show: z
      .boolean()
      .default(false)
      .describe("Bring the tab to the front; only when the person asked to see it."),
    timeout_ms: z.int().min(0).max(120_000).default(30_000).describe("How long to wait for the page."),
  }),
  output: tabSchema.extend({outline: z.string().optional(), status: z.int().optional()}),
  errors: ["invalid_url", "page_not_loaded", "tab_create_failed", "tab_create_cleanup_failed"],
  positional: ["url"],
  examples: [{input: {url: "https://example.com/"}, says: "a background tab on example.com"}],
  mcp: true,
});

export const tabClaim = defineOperation({
  name: "tab_claim",
  where: "extension",
  title: "Claim a tab",
  description:
    "Leases one of the person's open tabs to you, named exactly. Fails when it is not the one you mean. The tab is not moved, focused or reloaded.",
  effect: "act",
  input: z
    .strictObject({
      ...browserField,
      tab: z.string().min(1).optional().describe("A tab_id from tab_list."),
      active: z.literal(true).optional().describe("The tab that the person is looking at."),
      url: z
        .string()
        .min(1)
        .max(2048)
        .optional()
        .describe("The tab's URL, or a part of it that only one tab has."),
      title: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .describe("The tab's title, or a part of it that only one tab has."),
      expected_url: z
        .string()
        .min(1)
        .max(2048)
        .optional()
        .describe("Guard: the tab's URL must contain this."),
      expected_title: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .describe("Guard: the tab's title must contain this."),
    })
    .superRefine((value, context) => {
      const given = (["tab", "active", "url", "title"] as const).filter((key) => value[key] !== undefined);
      if (given.length !== 1)
        context.addIssue({code: "custom", message: "give exactly one of tab, active, url or title"});
    }),
  output: tabSchema,
  errors: [
    "claim_not_found",
    "claim_ambiguous",
    "claim_identity_mismatch",
    "claim_not_allowed",
    "already_claimed",
    "stopped_by_person",
  ],
  positional: ["tab"],
  examples: [
    {input: {tab: "t3", expected_url: "mail.example"}, says: "tab t3, if it still shows mail.example"},
  ],
  mcp: true,
});

export const tabRelease = defineOperation({
  name: "tab_release",
  where: "extension",
  title: "Release a tab",
  description: "Ends the lease; the tab stays open with the person, as it is.",
  effect: "act",
  input: z.strictObject({...tabField}),
  output: z.strictObject({released: z.string()}),
  errors: ["tab_release_failed"],
  positional: ["tab"],
  examples: [{input: {tab: "t3"}, says: "give t3 back"}],
  mcp: true,
});

export const tabClose = defineOperation({
  name: "tab_close",
  where: "extension",
  title: "Close a tab",
  description:
    "Closes a leased tab. Closing one that was the person's needs approved: true, when they agreed to it.",
  effect: "destroy",
  input: z.strictObject({
    ...tabField,
    approved: z.boolean().optional().describe("true when the person agreed to lose this tab of theirs."),
    discard_changes: z
      .boolean()
      .default(false)
      .describe("true when the person agreed to lose unsaved input in it."),
  }),
  output: z.strictObject({closed: z.string()}),
  errors: ["tab_close_failed", "unsaved_changes", "approval_required"],
  positional: ["tab"],
  examples: [{input: {tab: "t5"}, says: "close t5, which the session opened"}],
  mcp: true,
});

export const tabMark = defineOperation({
  name: "tab_mark",
  where: "extension",
  title: "Mark a tab",
  description:
    "Says what becomes of a tab you opened at finalize: deliverable keeps it for the person, handoff keeps it for a later session.",
  effect: "act",
  input: z.strictObject({
    ...tabField,
    mark: markSchema.nullable().describe("deliverable, handoff, or null for neither."),
  }),
  output: z.strictObject({tab_id: z.string(), mark: markSchema.nullable()}),
  errors: [],
  positional: ["tab"],
  examples: [{input: {tab: "t5", mark: "deliverable"}, says: "keep t5 for the person"}],
  mcp: true,
});
