// Sessions as the extension knows them: who they are, when they were last heard of, their tab group.
import type {SessionFacts} from "../../shared/protocol.ts";
import {forget, recall, remember} from "./memory.ts";

export interface Session extends SessionFacts {
  last_ms: number;
  group: number | null;
}

const prefix = "session:";
const sessions = new Map<string, Session>();

export async function loadSessions(): Promise<void> {
  for (const [id, session] of await recall<Session>(prefix)) sessions.set(id, session);
}

/** Takes note that a session asked for something, and answers with what is known of it. */
export function heardFrom(facts: SessionFacts): Session {
  const session = {group: null, ...sessions.get(facts.id), ...facts, last_ms: Date.now()};
  sessions.set(facts.id, session);
  void remember(prefix + facts.id, session);
  return session;
}

export const sessionOf = (id: string): Session | undefined => sessions.get(id);

export const allSessions = (): Session[] => [...sessions.values()];

export function endSession(id: string): void {
  sessions.delete(id);
  void forget(prefix + id);
}

const colours = ["blue", "purple", "cyan", "green", "orange", "pink"] as const;

/** Puts a tab that the agent opened into its session's own coloured group, made at the first such tab. */
export async function joinGroup(session: Session, tabId: number): Promise<void> {
  const existing = session.group !== null && (await groupExists(session.group)) ? session.group : undefined;
  const group = await chrome.tabs.group({
    tabIds: [tabId],
    ...(existing !== undefined && {groupId: existing}),
  });
  if (existing !== undefined) return;
  session.group = group;
  void remember(prefix + session.id, session);
  const colour = colours[Number(session.id.replace(/\D/g, "")) % colours.length] ?? "blue";
  await chrome.tabGroups.update(group, {title: session.name, color: colour});
}

async function groupExists(group: number): Promise<boolean> {
  try {
    await chrome.tabGroups.get(group);
    return true;
  } catch {
    return false;
  }
}
