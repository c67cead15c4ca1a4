// Where a leased tab is now, as Chrome has it: cheaper and surer than asking a page that may be on its way out.
import type {PageFacts} from "../../shared/result.ts";
import type {Workplace} from "./context.ts";
import {tabNow, urlOf} from "./tabs.ts";

export async function pageNow(work: Workplace): Promise<PageFacts | undefined> {
  const tab = await tabNow(work.tabId);
  return tab === null ? undefined : {url: urlOf(tab), title: tab.title ?? ""};
}
