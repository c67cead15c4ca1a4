// Exit codes: one a group of error kinds, so that a script can branch without reading the result.
import type {ErrorKind} from "../../shared/errors.ts";
import type {ActionResult} from "../../shared/result.ts";

const groups: readonly {
  readonly code: number;
  readonly says: string;
  readonly kinds: readonly ErrorKind[];
}[] = [
  {
    code: 1,
    says: "something else went wrong (no browser, lost connection, out of order)",
    kinds: ["backend"],
  },
  {
    code: 2,
    says: "the arguments are wrong, or this cannot be done here",
    kinds: ["invalid_argument", "unsupported"],
  },
  {
    code: 3,
    says: "the element was not found, not clear, or not ready",
    kinds: ["not_found", "ambiguous", "stale_element", "not_actionable"],
  },
  {
    code: 4,
    says: "the tab or page is not there, or time ran out",
    kinds: ["tab_unavailable", "navigation_failed", "timeout"],
  },
  {
    code: 5,
    says: "the person or their policy does not allow it",
    kinds: ["permission_denied", "approval_required"],
  },
  {
    code: 6,
    says: "the session is over, or there are too many",
    kinds: ["session_not_found", "session_limit"],
  },
  {code: 7, says: "it happened, and what was expected did not hold", kinds: ["verification_failed"]},
  {code: 130, says: "cancelled", kinds: ["cancelled"]},
];

const byKind: ReadonlyMap<string, number> = new Map(
  groups.flatMap(({code, kinds}) => kinds.map((kind): [string, number] => [kind, code])),
);

export const exitCodeOf = ({error}: Pick<ActionResult, "error">): number =>
  error === undefined ? 0 : (byKind.get(error.kind) ?? 1);

export const exitCodeHelp = [
  "Exit codes:",
  "  0    done, and everything expected held",
  ...groups.map(({code, says}) => `  ${String(code).padEnd(3)}  ${says}`),
].join("\n");
