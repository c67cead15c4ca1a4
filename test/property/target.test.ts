// Targets: what reads as a ref, what has exactly one way of naming, and that a target survives being written down.
import fc from "fast-check";
import {expect, it} from "vitest";
import {readValue} from "../../bridge/cli/words.ts";
import {
  describeTarget,
  parseRef,
  refOf,
  type Target,
  type TargetObject,
  targetObjectSchema,
  targetSchema,
  targetStrategies,
} from "../../shared/target.ts";

const words = fc.string({minLength: 1, maxLength: 30});
const ref = fc.tuple(fc.option(fc.nat(99), {nil: undefined}), fc.nat(99_999)).map(([frame, element]) => ({
  text: frame === undefined ? `e${element}` : `f${frame}e${element}`,
  frame: frame ?? 0,
  element,
}));

const point = fc.record({x: fc.integer({min: -10, max: 5000}), y: fc.integer({min: -10, max: 5000})});
const strategy: fc.Arbitrary<TargetObject> = fc.oneof(
  ref.map(({text}) => ({ref: text})),
  fc.record({
    role: words,
    name: fc.option(words, {nil: undefined}),
    exact: fc.option(fc.boolean(), {nil: undefined}),
  }),
  ...(["label", "placeholder", "text", "test_id", "alt", "title", "css", "xpath"] as const).map((key) =>
    words.map((value): TargetObject => ({[key]: value})),
  ),
  point.map((value) => ({point: value})),
);

const {target} = fc.letrec<{target: Target; object: TargetObject}>((tie) => ({
  target: fc.oneof({maxDepth: 3, depthIdentifier: "target"}, words, tie("object")),
  object: fc
    .record({
      named: strategy,
      within: fc.option(tie("target"), {nil: undefined, depthIdentifier: "target", maxDepth: 3}),
      nth: fc.option(fc.nat(50), {nil: undefined}),
      frame: fc.option(
        fc.oneof(fc.nat(5), words, fc.array(fc.oneof(fc.nat(5), words), {minLength: 1, maxLength: 3})),
        {nil: undefined},
      ),
    })
    .map(({named, ...modifiers}) => JSON.parse(JSON.stringify({...named, ...modifiers}))),
}));

it("a ref is read into its numbers, with spaces around it or not", () => {
  fc.assert(
    fc.property(ref, fc.constantFrom("", " ", "\t"), ({text, frame, element}, space) => {
      expect(parseRef(`${space}${text}${space}`)).toEqual({frame, element});
      expect(refOf(`${space}${text}${space}`)).toBe(text);
      expect(refOf({ref: text})).toBe(text);
      expect(targetObjectSchema.safeParse({ref: text}).success).toBe(true);
    }),
  );
});

it("nothing else reads as a ref", () => {
  const other = words.filter((text) => !/^(f\d+)?e\d+$/.test(text.trim()));
  fc.assert(
    fc.property(other, (text) => {
      expect(parseRef(text)).toBeNull();
      expect(refOf(text)).toBeNull();
      expect(targetObjectSchema.safeParse({ref: text}).success).toBe(false);
    }),
  );
});

it("a target means the same after JSON, and after the command line", () => {
  fc.assert(
    fc.property(target, (value) => {
      expect(targetSchema.parse(value)).toEqual(value);
      expect(targetSchema.parse(JSON.parse(JSON.stringify(value)))).toEqual(value);
      if (typeof value === "object") expect(readValue("target", {}, JSON.stringify(value))).toEqual(value);
    }),
  );
});

it("each target can be said in a few words", () => {
  fc.assert(
    fc.property(target, (value) => {
      expect(describeTarget(value).length).toBeGreaterThan(0);
    }),
  );
});

it("an object has exactly one way of naming: none or two are refused", () => {
  const several = fc.uniqueArray(fc.constantFrom(...targetStrategies), {maxLength: 4});
  fc.assert(
    fc.property(several, (strategies) => {
      const value = Object.fromEntries(
        strategies.map((key) => [key, key === "point" ? {x: 1, y: 2} : key === "ref" ? "e1" : "word"]),
      );
      expect(targetObjectSchema.safeParse(value).success).toBe(strategies.length === 1);
    }),
  );
});

it("a name without a role is refused, and so is a field that nobody knows", () => {
  expect(targetObjectSchema.safeParse({role: "button", name: "Save"}).success).toBe(true);
  expect(targetObjectSchema.safeParse({css: "button", name: "Save"}).success).toBe(false);
  expect(targetObjectSchema.safeParse({css: "button", selector: "b"}).success).toBe(false);
  expect(targetSchema.safeParse("").success).toBe(false);
});
