// Targets: how a caller names an element (contract 2.6). Schemas and pure rules; the page engine does the looking.
import {z} from "zod";

export const targetStrategies = [
  "ref",
  "role",
  "label",
  "placeholder",
  "text",
  "test_id",
  "alt",
  "title",
  "css",
  "xpath",
  "point",
] as const;

export type TargetStrategy = (typeof targetStrategies)[number];

export interface TargetObject {
  ref?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  exact?: boolean | undefined;
  label?: string | undefined;
  placeholder?: string | undefined;
  text?: string | undefined;
  test_id?: string | undefined;
  alt?: string | undefined;
  title?: string | undefined;
  css?: string | undefined;
  xpath?: string | undefined;
  point?: {x: number; y: number} | undefined;
  within?: Target | undefined;
  nth?: number | undefined;
  frame?: FrameStep | FrameStep[] | undefined;
}

/** An element: a ref such as "e12", a name or text, or an object with exactly one strategy. */
export type Target = string | TargetObject;
/** One step of a frame chain: the frame's element as a target, or its index in the document. */
export type FrameStep = Target | number;

const named = z.string().min(1).max(2000);

export const targetObjectSchema: z.ZodType<TargetObject> = z.lazy(() =>
  z
    .strictObject({
      ref: z
        .string()
        .regex(/^(f\d+)?e\d+$/, "a ref looks like e12 or f2e5")
        .optional()
        .describe("A ref from an outline or find, such as e12 or f2e5."),
      role: named.optional().describe("An ARIA role, such as button; narrow it with name."),
      name: named.optional().describe("The accessible name; only together with role."),
      exact: z
        .boolean()
        .optional()
        .describe("false matches part of the name or text; default true, the whole."),
      label: named.optional().describe("The text of the label of a form control."),
      placeholder: named.optional().describe("The placeholder of a field."),
      text: named.optional().describe("Visible text; the innermost element that has it."),
      test_id: named.optional().describe("The value of data-testid (or data-test-id, data-test)."),
      alt: named.optional().describe("The alternative text of an image."),
      title: named.optional().describe("The title attribute."),
      css: named.optional().describe("A CSS selector; open and closed shadow roots are searched too."),
      xpath: named.optional().describe("An XPath expression that yields elements."),
      point: z
        .strictObject({
          x: z.number().describe("CSS pixels from the left of the viewport."),
          y: z.number().describe("CSS pixels from the top of the viewport."),
        })
        .optional()
        .describe("A point of the viewport, in CSS pixels."),
      within: targetSchema.optional().describe("Only inside this element."),
      nth: z
        .int()
        .min(0)
        .max(10_000)
        .optional()
        .describe("Which of several matches, from 0, in the order of the page."),
      frame: z
        .union([frameStepSchema, z.array(frameStepSchema).min(1).max(8)])
        .optional()
        .describe("The frame to look in: a target or an index, or a list of them, outermost first."),
    })
    .superRefine((value, context) => {
      const given = targetStrategies.filter((strategy) => value[strategy] !== undefined);
      if (given.length !== 1) {
        context.addIssue({
          code: "custom",
          message: `give exactly one of ${targetStrategies.join(", ")}; got ${given.length === 0 ? "none" : given.join(" and ")}`,
        });
      }
      if (value.name !== undefined && value.role === undefined) {
        context.addIssue({
          code: "custom",
          path: ["name"],
          message: "name goes only with role; use label or text alone",
        });
      }
    }),
);

export const targetSchema: z.ZodType<Target> = z
  .lazy(() => z.union([named, targetObjectSchema]))
  .meta({
    short: "A ref (e12), a name or visible text, or an object: see capabilities targets.",
  });

const frameStepSchema: z.ZodType<FrameStep> = z.lazy(() => z.union([z.int().min(0), targetSchema]));

const refPattern = /^(?:f(\d+))?e(\d+)$/;

/** The frame's number (0 is the top document) and the element's number, when a string is a ref; else null. */
export function parseRef(text: string): {frame: number; element: number} | null {
  const match = refPattern.exec(text.trim());
  if (match === null) return null;
  return {frame: match[1] === undefined ? 0 : Number(match[1]), element: Number(match[2])};
}

/** The ref that a target names, or null when it names its element another way. */
export function refOf(target: Target): string | null {
  if (typeof target === "string") return parseRef(target) === null ? null : target.trim();
  return target.ref ?? null;
}

/** The target in a few words, for messages. */
export function describeTarget(target: Target): string {
  if (typeof target === "string") return parseRef(target) === null ? `"${target}"` : target.trim();
  const strategy = targetStrategies.find((key) => target[key] !== undefined);
  if (strategy === undefined) return "a target without a strategy";
  const value = target[strategy];
  const shown = typeof value === "object" ? `(${value.x}, ${value.y})` : `"${value}"`;
  const name = target.name === undefined ? "" : ` "${target.name}"`;
  const nth = target.nth === undefined ? "" : ` number ${target.nth}`;
  const within = target.within === undefined ? "" : ` within ${describeTarget(target.within)}`;
  return strategy === "role" ? `${value}${name}${nth}${within}` : `${strategy} ${shown}${nth}${within}`;
}
