// Evidence: pictures of the page, and long results kept aside.
import {z} from "zod";
import {defineOperation, tabField} from "../operation.ts";
import {targetSchema} from "../target.ts";

export const screenshot = defineOperation({
  name: "screenshot",
  where: "extension",
  title: "Take a screenshot",
  description:
    "Pictures the viewport, the full page or one element of a background tab; a file in evidence, and an image over MCP.",
  effect: "read",
  input: z.strictObject({
    ...tabField,
    full_page: z.boolean().default(false).describe("The whole page instead of the viewport."),
    target: targetSchema.optional().describe("Only this element."),
    format: z.enum(["png", "jpeg"]).default("png").describe("The picture's format."),
    quality: z.int().min(1).max(100).default(80).describe("For jpeg."),
    max_width: z
      .int()
      .min(100)
      .max(8000)
      .optional()
      .describe("Scaled down to at most this width, in pixels."),
  }),
  output: z.strictObject({
    width: z.int(),
    height: z.int(),
    scale: z.number().describe("Picture pixels a CSS pixel."),
  }),
  errors: ["not_found", "not_visible", "dialog_open", "page_crashed"],
  positional: ["target"],
  examples: [{input: {full_page: true}, says: "the whole page"}],
  mcp: true,
});

export const resultGet = defineOperation({
  name: "result_get",
  where: "bridge",
  title: "Read a long result",
  description: "Reads a result that was too long to answer with at once, in parts.",
  effect: "read",
  input: z.strictObject({
    result_id: z.string().min(1).max(100).describe("From a result_kept_aside note."),
    start: z.int().min(0).default(0).describe("Where to begin, in characters."),
    max_chars: z.int().min(1).max(60_000).default(16_000).describe("At most so many characters."),
  }),
  output: z.strictObject({
    text: z.string(),
    complete: z.boolean(),
    next_start: z.int().nullable(),
    total_chars: z.int(),
  }),
  errors: ["result_evicted", "invalid_arguments"],
  positional: ["result_id"],
  examples: [{input: {result_id: "s1-2"}, says: "the first part of that result"}],
  mcp: true,
});
