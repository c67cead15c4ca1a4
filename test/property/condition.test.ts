// Nested conditions: unknown never becomes passed, and a nest says what logic says of its leaves.
import fc from "fast-check";
import {expect, it} from "vitest";
import {
  type CheckStatus,
  type Condition,
  combine,
  conditionSchema,
  type Finding,
  leavesOf,
} from "../../shared/condition.ts";

const leaf = fc.constantFrom<Condition>({type: "no_dialog"}, {type: "url_contains", value: "a"});
const condition: fc.Arbitrary<Condition> = fc.letrec<{node: Condition}>((tie) => ({
  node: fc.oneof(
    {maxDepth: 3, depthIdentifier: "nest"},
    leaf,
    fc.record({type: fc.constant("not" as const), of: tie("node")}),
    fc.record({
      type: fc.constantFrom("all" as const, "any" as const),
      of: fc.array(tie("node"), {minLength: 1, maxLength: 3, depthIdentifier: "nest"}),
    }),
  ),
})).node;

const status = fc.constantFrom<CheckStatus>("passed", "failed", "unknown");

const withFindings = condition.chain((nest) =>
  fc.tuple(
    fc.constant(nest),
    fc.array(status, {minLength: leavesOf(nest).length, maxLength: leavesOf(nest).length}),
  ),
);

const findingsOf = (statuses: CheckStatus[]): Finding[] =>
  statuses.map((one) =>
    one === "unknown" ? {status: one, reason: "frame_unreachable"} : {status: one, observed: one},
  );

/** What the nest comes to when each leaf is simply true or false. */
function truth(nest: Condition, leaves: boolean[]): boolean {
  if (nest.type === "not") return !truth(nest.of, leaves);
  if (nest.type === "all") return nest.of.map((part) => truth(part, leaves)).every(Boolean);
  if (nest.type === "any") return nest.of.map((part) => truth(part, leaves)).some(Boolean);
  return leaves.shift() ?? false;
}

it("with every leaf known, it is plain logic", () => {
  fc.assert(
    fc.property(withFindings, ([nest, statuses]) => {
      fc.pre(!statuses.includes("unknown"));
      const expected = truth(
        nest,
        statuses.map((one) => one === "passed"),
      );
      expect(combine(nest, findingsOf(statuses)).status).toBe(expected ? "passed" : "failed");
    }),
  );
});

it("it passes or fails only when it would whatever the unknown leaves turned out to be", () => {
  fc.assert(
    fc.property(
      withFindings,
      fc.array(fc.boolean(), {minLength: 30, maxLength: 30}),
      ([nest, statuses], guesses) => {
        const {status, reason} = combine(nest, findingsOf(statuses));
        if (status === "unknown") {
          expect(reason).toBe("frame_unreachable");
          return;
        }
        const guess = statuses.map((one, index) =>
          one === "unknown" ? guesses[index] === true : one === "passed",
        );
        expect(truth(nest, guess)).toBe(status === "passed");
      },
    ),
    {numRuns: 500},
  );
});

it("a leaf that nobody looked at is unknown", () => {
  fc.assert(
    fc.property(condition, (nest) => {
      expect(combine(nest, []).status).toBe("unknown");
    }),
  );
});

it("leaves are as many as there are, and nests past 3 deep or 16 in all are refused", () => {
  fc.assert(
    fc.property(condition, (nest) => {
      expect(conditionSchema.safeParse(nest).success).toBe(depthOf(nest) <= 3 && leavesOf(nest).length <= 16);
    }),
  );
});

function depthOf(nest: Condition): number {
  if (nest.type === "not") return 1 + depthOf(nest.of);
  if (nest.type === "all" || nest.type === "any") return 1 + Math.max(...nest.of.map(depthOf));
  return 0;
}
