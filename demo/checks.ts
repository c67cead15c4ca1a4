// What must be true at the end of the demo, seen from the browser's side and from the pages' own records.
import type {Eyes, Happened, SeenPage, SeenTab} from "./eyes.ts";
import type {DemoServer} from "./server.ts";
import {asked} from "./story.ts";

/** The browser before the agent came. */
export interface Before {
  booking: SeenTab;
  front: SeenTab;
  bookingPage: SeenPage;
  mailPage: SeenPage;
}

export interface Check {
  says: string;
  /** What was found instead; null when it holds. */
  wrong: string | null;
}

export async function lookBefore(eyes: Eyes): Promise<Before> {
  const [booking, front] = await Promise.all([eyes.tabAt("booking.html"), eyes.tabAt("notes.html")]);
  if (booking === undefined || front === undefined) throw new Error("the person's tabs did not open");
  return {booking, front, bookingPage: await eyes.page("booking.html"), mailPage: await eyes.page("mail.html")};
}

/** @param strayed Steps after which another tab than the person's was in front. */
export async function lookAfter(eyes: Eyes, before: Before, server: DemoServer, strayed: string[]): Promise<Check[]> {
  const [tabs, happened, debugged] = [await eyes.tabs(), await eyes.happened(), await eyes.debugged()];
  const [booking, mail] = [await eyes.page("booking.html"), await eyes.page("mail.html")];
  return [
    check("The crossing was booked once, with what the person asked for", sameJson(server.bookings, [asked])),
    check("The page saw a trusted click on its button", !trusted(booking, "click", "book") && "its record has no such click"),
    check("The person's tab stayed in front all along", strayed.length > 0 && `not after ${strayed.join(", ")}`),
    check("The claimed tab was never brought to the front, moved, reloaded or closed", disturbed(before, tabs, happened, booking)),
    check("No debugger is left on any page", debugged.length > 0 && debugged.join(", ")),
    check("The claimed page holds nothing of ours", leftIn(before.bookingPage, booking)),
    check("The mail, never lent, was not touched, and its draft not sent", touched(before.mailPage, mail, server)),
    check("The receipt, marked deliverable, was kept for the person", !open(tabs, "receipt.html") && "it is gone"),
    check("The agent's other tab was closed", open(tabs, "timetable.html") && "it is still open"),
    check("No tab is in a group of the agent's", grouped(tabs)),
  ];
}

const check = (says: string, wrong: string | false | null): Check => ({says, wrong: wrong === false ? null : wrong});

const open = (tabs: SeenTab[], urlPart: string): boolean => tabs.some(({url}) => url.includes(urlPart));

const trusted = ({record}: SeenPage, type: string, on: string): boolean =>
  record.events.some((event) => event.type === type && event.on === on && event.trusted);

function sameJson(found: unknown, wanted: unknown): string | null {
  // The select posts its option's value.
  const text = JSON.stringify(found);
  return text === JSON.stringify(wanted).replace(asked.route, "floro") ? null : text;
}

function disturbed({booking, bookingPage}: Before, tabs: SeenTab[], happened: Happened, page: SeenPage): string | null {
  const now = tabs.find(({id}) => id === booking.id);
  if (now === undefined) return "it is gone";
  const lists = Object.entries(happened).filter(([, ids]) => ids.includes(booking.id));
  if (lists.length > 0) return `it was ${lists.map(([what]) => what).join(", ")}`;
  if (now.windowId !== booking.windowId || now.index !== booking.index) return "it is somewhere else";
  return page.record.document === bookingPage.record.document ? null : "its document is another";
}

function leftIn(before: SeenPage, now: SeenPage): string | null {
  const listening = now.worlds.filter(({listeners}) => listeners > 0);
  if (listening.length > 0) return listening.map(({name, listeners}) => `${listeners} listeners in world ${name}`).join(", ");
  if (now.globals !== before.globals) return `window had ${before.globals} names and has ${now.globals}`;
  const added = now.elements.filter((element) => !before.elements.includes(element));
  if (added.length > 0) return added.join(", ");
  if (now.visibility !== before.visibility || now.focus !== before.focus) return `it still believes to be ${now.visibility}, focus ${now.focus}`;
  return null;
}

function touched(before: SeenPage, now: SeenPage, server: DemoServer): string | null {
  if (server.sent() > 0) return "a mail was sent";
  if (now.worlds.length > 0) return `a script's world is in it: ${now.worlds.map(({name}) => name).join(", ")}`;
  if (now.record.events.length > 0) return `it saw ${now.record.events.map(({type}) => type).join(", ")}`;
  return now.record.document === before.record.document ? null : "it was reloaded";
}

function grouped(tabs: SeenTab[]): string | null {
  const left = tabs.filter(({groupId}) => groupId !== -1);
  return left.length === 0 ? null : left.map(({title}) => title).join(", ");
}
