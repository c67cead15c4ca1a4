// Waits until what is known of some conditions is no longer true.
import type {Finding} from "../../shared/condition.ts";
import {onActivity} from "./activity.ts";
import {findingOf} from "./conditions.ts";
import type {WatchRequest} from "./contract.ts";
import {newTurn} from "./turn.ts";

/** The net under the events; a page that is animated by script is looked at no more often than `restMs`. */
const clockMs = 150;
const restMs = 12;

export function watch({conditions, known, timeoutMs}: WatchRequest): Finding[] | Promise<Finding[]> {
  const look = (): Finding[] => {
    newTurn();
    return conditions.map(findingOf);
  };
  const first = look();
  if (known === null || timeoutMs <= 0 || differ(first, known)) return first;
  const stable = conditions.flatMap(({condition}) => (condition.type === "dom_stable" ? [condition.ms] : []));
  return new Promise((resolve) => {
    let lookedAt = performance.now();
    let pending: ReturnType<typeof setTimeout> | null = null;
    const lookAgain = () => {
      pending = null;
      const findings = look();
      lookedAt = performance.now();
      if (differ(findings, known)) end(findings);
    };
    const wake = () => {
      if (pending !== null) return;
      const rest = lookedAt + restMs - performance.now();
      if (rest <= 0) lookAgain();
      else pending = setTimeout(lookAgain, rest);
    };
    const end = (findings: Finding[]) => {
      activity.stop();
      clearTimeout(timer);
      if (pending !== null) clearTimeout(pending);
      resolve(findings);
    };
    const activity = onActivity(wake, Math.min(clockMs, ...stable));
    const timer = setTimeout(() => end(look()), timeoutMs);
  });
}

const differ = (now: Finding[], known: Finding[]): boolean => JSON.stringify(now) !== JSON.stringify(known);
