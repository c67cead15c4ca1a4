// Taking a tab to a page and waiting as far as the caller asks, by the browser's own events.
import {SubletError} from "../../shared/errors.ts";
import type {Context, Workplace} from "./context.ts";
import {dialogIsOpen, send, untilInterrupted} from "./debuggee.ts";
import {callEngine} from "./engine.ts";
import {awaitHappening, type Happening, markNow} from "./happenings.ts";
import {pageNow} from "./page-now.ts";

export interface Arrival {
  /** HTTP status of the document; null when there was none. */
  status: number | null;
  redirects: number;
}

interface Navigated {
  frameId: string;
  loaderId?: string;
  errorText?: string;
  isDownload?: boolean;
}

type Reached = Extract<Happening, {kind: "lifecycle" | "navigated" | "dialog_opened"}>;

const milestones: Readonly<Record<string, string>> = {dom: "DOMContentLoaded", load: "load"};

/** Navigates the tab's top document. The URL has been checked by the caller, and is checked again on arrival. */
export async function goTo(
  context: Context,
  work: Workplace,
  url: string,
  until: "commit" | "dom" | "load",
  timeoutMs: number,
): Promise<Arrival> {
  const mark = markNow(work.tabId);
  await context.journaled;
  const started = Date.now();
  const answer = await untilInterrupted(
    work.tabId,
    send<Navigated>(work.tabId, "Page.navigate", {url}, {timeoutMs}),
    work.signal,
  );
  if (answer.errorText !== undefined) throw notLoaded(url, answer.errorText);
  if (answer.loaderId !== undefined) {
    const left = Math.max(0, timeoutMs - (Date.now() - started));
    const arrived = await awaitMilestone(work, mark, answer.loaderId, milestones[until], left);
    if (!arrived)
      throw new SubletError("timeout", `${url} was not there within ${timeoutMs} ms`, {
        details: {last: until},
      });
  }
  context.found.page = (await pageNow(work)) ?? context.found.page;
  return await arrival(work);
}

/** Waits for a document's milestone, or its commit when none is named. A dialog in between is the page's word that it waits itself. */
async function awaitMilestone(
  work: Workplace,
  mark: number,
  loader: string,
  name: string | undefined,
  timeoutMs: number,
): Promise<boolean> {
  const isIt = (happening: Happening): happening is Reached => {
    if (happening.kind === "dialog_opened") return true;
    if (name === undefined) return happening.kind === "navigated" && happening.loader === loader;
    return happening.kind === "lifecycle" && happening.loader === loader && happening.name === name;
  };
  const found = await awaitHappening(work.tabId, mark, isIt, timeoutMs, work.signal);
  if (work.signal.aborted) throw SubletError.from(work.signal.reason);
  if (found?.kind === "dialog_opened") {
    const {type, message, ...rest} = found.dialog;
    throw dialogIsOpen({...rest, type: String(type), message: String(message)});
  }
  return found !== null;
}

async function arrival(work: Workplace): Promise<Arrival> {
  const {value} = await callEngine(work.lease, work.top(), "arrival", {}, {signal: work.signal});
  return value;
}

const notLoaded = (url: string, reason: string): SubletError =>
  new SubletError("page_not_loaded", `${url} did not load: ${reason}`, {details: {reason}});
