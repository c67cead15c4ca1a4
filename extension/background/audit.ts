// The audit's hook: called before and after each acting operation. The bridge keeps the log itself; until it does,
// nothing is written.
import type {ActionResult, RunFacts} from "../../shared/result.ts";

export interface AuditLine {
  when: "before" | "after";
  run: RunFacts;
  outcome?: Pick<ActionResult, "ok" | "tab_id">;
}

export const audit = (_line: AuditLine): void => {};
