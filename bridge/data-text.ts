// What an operation answers with, as text: an outline as it is, lists as lines, anything else as JSON.
import type {Operation, OutputOf} from "../shared/operation.ts";
import {doctor} from "../shared/operations/doctor.ts";
import {resultGet, screenshot} from "../shared/operations/evidence.ts";
import {check, fill, select} from "../shared/operations/form.ts";
import {capabilities, type OperationFacts} from "../shared/operations/help.ts";
import {press} from "../shared/operations/keyboard.ts";
import {navigate} from "../shared/operations/navigate.ts";
import {find, observe} from "../shared/operations/observe.ts";
import {click} from "../shared/operations/pointer.ts";
import {sessionFinalize, sessionList} from "../shared/operations/sessions.ts";
import {
  type Tab,
  tabClaim,
  tabClose,
  tabList,
  tabMark,
  tabOpen,
  tabRelease,
} from "../shared/operations/tabs.ts";

/** The data of one operation in words; empty when there is nothing to say. */
export function dataText(op: string, data: unknown): string {
  const written = writers.get(op)?.(data);
  if (written !== undefined) return written;
  if (isEmpty(data)) return "";
  return typeof data === "string" ? data : JSON.stringify(data);
}

type Writer = (data: unknown) => string | undefined;

/** Data of another shape than the registry's (a newer bridge, a failed operation) is left to the general rule. */
const written = <Op extends Operation>(
  operation: Op,
  write: (data: OutputOf<Op>) => string,
): [string, Writer] => [
  operation.name,
  (data) => {
    const parsed = operation.output.safeParse(data);
    return parsed.success ? write(parsed.data as OutputOf<Op>) : undefined;
  },
];

const writers: ReadonlyMap<string, Writer> = new Map([
  written(tabList, (tabs) => (tabs.length === 0 ? "No tabs." : tabs.map(tabLine).join("\n"))),
  written(tabOpen, ({outline, status, ...tab}) =>
    lines(tabLine(tab), status === undefined ? "" : `Status: ${status}`, outline),
  ),
  written(tabClaim, tabLine),
  written(tabRelease, ({released}) => `${released} is the person's again.`),
  written(tabClose, ({closed}) => `${closed} is closed.`),
  written(tabMark, ({tab_id, mark}) =>
    mark === null ? `${tab_id} is not marked.` : `${tab_id} is marked ${mark}.`,
  ),
  written(sessionList, (sessions) =>
    sessions.length === 0 ? "No sessions." : sessions.map(sessionText).join("\n"),
  ),
  written(sessionFinalize, ({closed, kept, failed}) =>
    lines(
      closed.length === 0 ? "" : `Closed: ${closed.join(", ")}`,
      kept.length === 0 ? "" : `Kept open: ${kept.map((tab) => `${tab.tab_id} (${tab.as})`).join(", ")}`,
      failed.length === 0 ? "" : `Failed: ${failed.map((tab) => `${tab.tab_id} (${tab.reason})`).join(", ")}`,
    ),
  ),
  written(observe, ({outline, complete, omitted, focused, dialogs}) =>
    lines(
      dialogs.length === 0 ? "" : `Open dialogs: ${JSON.stringify(dialogs)}`,
      focused === null ? "" : `Focused: ${inline(focused)}`,
      outline,
      complete ? "" : `Not complete: ${omitted} more elements; observe with within or a larger max_chars.`,
    ),
  ),
  written(find, ({matches, total}) =>
    lines(
      ...matches.map(matchLine),
      matches.length < total ? `${total - matches.length} more; narrow it or give a larger limit.` : "",
      total === 0 ? "Nothing matches." : "",
    ),
  ),
  written(screenshot, ({width, height, scale}) => `${width} × ${height} pixels, ${scale} a CSS pixel.`),
  written(click, changesText),
  written(press, changesText),
  written(fill, ({value, changes}) =>
    lines(value === undefined ? "" : `It holds now: ${quoted(value)}`, changesText({changes})),
  ),
  written(select, ({selected, changes}) =>
    lines(selected && `Selected now: ${selected.map(quoted).join(", ")}`, changesText({changes})),
  ),
  written(check, ({checked, changes}) =>
    lines(checked === undefined ? "" : `Checked now: ${checked}`, changesText({changes})),
  ),
  written(navigate, ({status, redirects, changes}) =>
    lines(
      `Status: ${status ?? "none"}${redirects === 0 ? "" : `, after ${redirects} redirects`}`,
      changesText({changes}),
    ),
  ),
  written(resultGet, ({text, complete, next_start, total_chars}) =>
    lines(text, complete ? "" : `More: give start: ${next_start} (of ${total_chars} characters).`),
  ),
  written(capabilities, (told) => {
    if ("text" in told) return told.text;
    if ("operation" in told) return operationText(told.operation);
    const width = Math.max(...told.operations.map(({name}) => name.length));
    return lines(
      ...told.operations.map(
        ({name, effect, title}) => `${name.padEnd(width)}  ${effect.padEnd(7)}  ${title}`,
      ),
      `Topics: ${told.topics.join(", ")}`,
    );
  }),
  written(doctor, ({healthy, checks}) =>
    lines(
      ...checks.map(checkText),
      healthy ? "All is well." : "Next: do what the lines above say, then ask doctor again.",
    ),
  ),
]);

function tabLine({tab_id, title, url, active, lease}: Tab): string {
  const held =
    lease === undefined
      ? ""
      : ` [leased by ${lease.session_name} (${lease.session})${lease.mark === null ? "" : `, ${lease.mark}`}]`;
  return `${tab_id} ${quoted(title)} ${url}${active ? " [shown]" : ""}${held}`;
}

function sessionText({session, name, own, idle_ms, leases}: OutputOf<typeof sessionList>[number]): string {
  const head = `${session} ${quoted(name)}${own ? " (yours)" : ""}, idle for ${Math.round(idle_ms / 1000)} s`;
  return lines(
    head,
    ...leases.map(
      (lease) =>
        `  ${lease.tab_id} ${quoted(lease.title)} ${lease.url}${lease.mark === null ? "" : ` [${lease.mark}]`}`,
    ),
  );
}

function matchLine({visible, enabled, where, ...match}: OutputOf<typeof find>["matches"][number]): string {
  return `- ${match.role} ${quoted(match.name)} [ref=${match.ref}]${visible ? "" : " [hidden]"}${enabled ? "" : " [disabled]"}${where === undefined ? "" : ` ${where}`}`;
}

function changesText({changes}: {changes?: string | undefined}): string {
  return changes === undefined ? "" : `The page now:\n${changes}`;
}

function operationText({name, effect, description, input, output, errors, examples}: OperationFacts): string {
  return lines(
    `${name} (${effect}): ${description}`,
    `Input: ${JSON.stringify(input)}`,
    `Data: ${JSON.stringify(output)}`,
    ...examples.map((example) => `Example: ${JSON.stringify(example.input)}: ${example.says}`),
    ...errors.map(({code, hint}) => `Error ${code}: ${hint}`),
  );
}

const checkText = ({check, ok, found, fix}: OutputOf<typeof doctor>["checks"][number]): string =>
  `${ok ? "ok  " : "FAIL"} ${check}: ${found}${fix === undefined ? "" : ` → ${fix}`}`;

/** One value on one line: text as it is, an element as in the outline, anything else as JSON. */
export function inline(value: unknown): string {
  // Text of a page must not be able to write lines of its own between ours.
  if (typeof value === "string") return value.includes("\n") ? quoted(value) : value;
  if (typeof value !== "object" || value === null) return String(value);
  if ("ref" in value && "role" in value && "name" in value) {
    const {ref, role, name, tag: _, ...rest} = {tag: "", ...value};
    const more = Object.values(rest).filter((part) => typeof part === "string" && part !== "");
    return [`${role} ${quoted(String(name))} [ref=${ref}]`, ...more].join(" ");
  }
  return JSON.stringify(value);
}

export const quoted = (text: string): string => JSON.stringify(text);

const lines = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n");

const isEmpty = (data: unknown): boolean =>
  data === undefined || data === null || (typeof data === "object" && Object.keys(data).length === 0);
