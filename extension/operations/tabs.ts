// tab_list, tab_open, tab_claim, tab_release, tab_close, tab_mark.
import {SubletError} from "../../shared/errors.ts";
import type {ExtensionHandlers, Input, Output} from "../../shared/operations/index.ts";
import type {Tab} from "../../shared/operations/tabs.ts";
import {isLendableUrl, navigableUrl} from "../../shared/policy.ts";
import {type Context, enterTab} from "../background/context.ts";
import {close, release} from "../background/ending.ts";
import {grant, type Lease, leaseFor, leaseOn, save} from "../background/leases.ts";
import {goTo} from "../background/navigation.ts";
import {outlineOf} from "../background/outline.ts";
import {joinGroup} from "../background/sessions.ts";
import {allTabs, type ChromeTab, handleOf, tabIdOf, tabStillThere, urlOf} from "../background/tabs.ts";

type Names = "tab_list" | "tab_open" | "tab_claim" | "tab_release" | "tab_close" | "tab_mark";

export const tabHandlers: Pick<ExtensionHandlers<Context>, Names> = {
  tab_list: listTabs,
  tab_open: openTab,
  tab_claim: claimTab,
  tab_release: releaseTab,
  tab_close: closeTab,
  tab_mark: markTab,
};

async function listTabs(input: Input<"tab_list">, context: Context): Promise<Output<"tab_list">> {
  const query = input.query?.toLowerCase();
  const tabs = (await allTabs()).map(describe).filter((tab) => {
    if (input.scope === "session" && tab.lease?.session !== context.session.id) return false;
    if (input.scope === "person" && tab.lease !== undefined) return false;
    return query === undefined || `${tab.title} ${tab.url}`.toLowerCase().includes(query);
  });
  tabs.sort((a, b) => (b.last_used_ms ?? 0) - (a.last_used_ms ?? 0));
  if (tabs.length > input.limit)
    context.found.notes.push({note: "truncated", what: "tabs", total: tabs.length, shown: input.limit});
  return tabs.slice(0, input.limit);
}

async function openTab(input: Input<"tab_open">, context: Context): Promise<Output<"tab_open">> {
  const url = navigableUrl(input.url);
  if (url === null) throw invalidUrl(input.url);
  const tab = await create();
  const handle = handleOf(tab.id);
  const lease = grant(context.session, handle, tab.id, "agent");
  context.found.tab_id = handle;
  try {
    await Promise.all([joinGroup(context.session, tab.id), chrome.tabs.update(tab.id, {muted: true})]);
    const work = await enterTab(context, handle);
    const arrived = url === "about:blank" ? null : await goTo(context, work, url, "dom", input.timeout_ms);
    if (input.show) await show(tab.id);
    const outline = input.observe
      ? await outlineOf(work, {mode: "outline", viewport: false, maxChars: 16_000})
      : null;
    return {
      ...describe(await tabStillThere(lease.tab_id, handle)),
      ...(arrived?.status != null && {status: arrived.status}),
      ...(outline !== null && {outline: outline.outline}),
    };
  } catch (thrown) {
    await cleanUp(lease, SubletError.from(thrown));
    throw thrown;
  }
}

async function create(): Promise<ChromeTab> {
  try {
    const tab = await chrome.tabs.create({url: "about:blank", active: false});
    if (tab.id === undefined) throw new Error("Chrome gave the tab no id");
    return {...tab, id: tab.id};
  } catch (thrown) {
    throw new SubletError(
      "tab_create_failed",
      "Chrome could not open a tab",
      {details: {reason: String(thrown)}},
      thrown,
    );
  }
}

/** A tab that could not be brought where it should go is closed again; if even that fails, the lease stays. */
async function cleanUp(lease: Lease, cause: SubletError): Promise<void> {
  try {
    await close(lease, "release");
  } catch {
    throw new SubletError(
      "tab_create_cleanup_failed",
      `tab ${lease.handle} could be neither opened nor closed`,
      {
        details: {tab_id: lease.handle, cause: cause.code},
      },
    );
  }
}

async function claimTab(input: Input<"tab_claim">, context: Context): Promise<Output<"tab_claim">> {
  const tab = await tabMeant(input);
  const handle = handleOf(tab.id);
  guardIdentity(tab, handle, input);
  if (tab.incognito || !isLendableUrl(urlOf(tab))) {
    throw new SubletError(
      "claim_not_allowed",
      `tab ${handle} is never lent: ${tab.incognito ? "it is incognito" : "it is not an http or https page"}`,
      {
        details: {url: urlOf(tab)},
      },
    );
  }
  const own = leaseOn(handle);
  const again = own?.state === "active" && own.session === context.session.id;
  if (!again) grant(context.session, handle, tab.id, "user");
  context.found.tab_id = handle;
  if (tab.discarded) await wakeDiscarded(tab, context);
  const now = await tabStillThere(tabIdOf(handle) ?? tab.id, handle);
  context.found.page = {url: urlOf(now), title: now.title ?? ""};
  return describe(now);
}

/** Chrome has thrown the page away to save memory; only a reload brings it back, and the result says so. */
async function wakeDiscarded(tab: ChromeTab, context: Context): Promise<void> {
  await chrome.tabs.reload(tab.id);
  context.found.notes.push({note: "tab_woken", why: "Chrome had discarded the page; it was loaded again"});
}

async function tabMeant(input: Input<"tab_claim">): Promise<ChromeTab> {
  const tabs = await allTabs();
  if (input.tab !== undefined) {
    const tabId = tabIdOf(input.tab);
    const tab = tabs.find((candidate) => candidate.id === tabId);
    return tab ?? fail("claim_not_found", `there is no tab ${input.tab}`, tabs);
  }
  if (input.active === true) {
    const shown = tabs.filter((tab) => tab.active);
    const focused = shown.length > 1 ? await inFocusedWindow(shown) : shown;
    return only(focused, "active tab", tabs);
  }
  const wanted = (input.url ?? input.title ?? "").toLowerCase();
  const textOf = (tab: ChromeTab) => (input.url === undefined ? (tab.title ?? "") : urlOf(tab)).toLowerCase();
  const exact = tabs.filter((tab) => textOf(tab) === wanted || textOf(tab) === `${wanted}/`);
  const matches = exact.length > 0 ? exact : tabs.filter((tab) => textOf(tab).includes(wanted));
  return only(
    matches,
    `tab whose ${input.url === undefined ? "title" : "url"} is "${input.url ?? input.title}"`,
    tabs,
  );
}

async function inFocusedWindow(shown: ChromeTab[]): Promise<ChromeTab[]> {
  const window = await chrome.windows.getLastFocused();
  return shown.filter((tab) => tab.windowId === window.id);
}

function only(matches: ChromeTab[], what: string, all: ChromeTab[]): ChromeTab {
  const [first] = matches;
  if (first === undefined) return fail("claim_not_found", `there is no ${what}`, all);
  if (matches.length > 1) return fail("claim_ambiguous", `${matches.length} tabs match: ${what}`, matches);
  return first;
}

function fail(code: "claim_not_found" | "claim_ambiguous", message: string, tabs: ChromeTab[]): never {
  throw new SubletError(code, message, {candidates: tabs.slice(0, 10).map(brief)});
}

function guardIdentity(tab: ChromeTab, handle: string, input: Input<"tab_claim">): void {
  const {expected_url, expected_title} = input;
  const url = urlOf(tab);
  const title = tab.title ?? "";
  const wrong =
    (expected_url !== undefined && !url.includes(expected_url)) ||
    (expected_title !== undefined && !title.includes(expected_title));
  if (!wrong) return;
  throw new SubletError("claim_identity_mismatch", `tab ${handle} shows "${title}" at ${url}`, {
    details: {
      url,
      title,
      ...(expected_url !== undefined && {expected_url}),
      ...(expected_title !== undefined && {expected_title}),
    },
  });
}

async function releaseTab(input: Input<"tab_release">, context: Context): Promise<Output<"tab_release">> {
  const lease = leaseFor(context.session.id, input.tab);
  context.found.tab_id = lease.handle;
  await release(lease, "release");
  return {released: lease.handle};
}

async function closeTab(input: Input<"tab_close">, context: Context): Promise<Output<"tab_close">> {
  const lease = leaseFor(context.session.id, input.tab);
  context.found.tab_id = lease.handle;
  if (lease.origin === "user" && input.approved !== true) {
    throw new SubletError(
      "approval_required",
      `tab ${lease.handle} is the person's own; closing it needs their word`,
      {
        details: {why: "closes a tab of the person's"},
      },
    );
  }
  await close(lease, "release");
  return {closed: lease.handle};
}

async function markTab(input: Input<"tab_mark">, context: Context): Promise<Output<"tab_mark">> {
  const lease = leaseFor(context.session.id, input.tab);
  context.found.tab_id = lease.handle;
  lease.mark = input.mark;
  save(lease);
  return {tab_id: lease.handle, mark: lease.mark};
}

async function show(tabId: number): Promise<void> {
  const tab = await chrome.tabs.update(tabId, {active: true});
  if (tab !== undefined) await chrome.windows.update(tab.windowId, {focused: true});
}

function describe(tab: ChromeTab): Tab {
  const handle = handleOf(tab.id);
  const lease = leaseOn(handle);
  return {
    ...brief(tab),
    window: tab.windowId,
    active: tab.active,
    ...(lease !== undefined && {
      lease: {
        session: lease.session,
        session_name: lease.session_name,
        origin: lease.origin,
        mark: lease.mark,
        state: lease.state,
      },
    }),
    last_used_ms: tab.lastAccessed ?? null,
  };
}

const brief = (tab: ChromeTab) => ({tab_id: handleOf(tab.id), title: tab.title ?? "", url: urlOf(tab)});

export const invalidUrl = (url: string): SubletError =>
  new SubletError("invalid_url", `not a page that Sublet goes to: ${url.slice(0, 200)}`, {
    details: {expected: "an http:// or https:// URL, or about:blank"},
  });
