// Stop everything: the person's last word. It works with the bridge dead, holds over restarts, and only the person
// ends it, in the popup.
import {detach} from "./debuggee.ts";
import {allLeases, end} from "./leases.ts";
import {recallForever, rememberForever} from "./memory.ts";

let stopped = false;
const listeners = new Set<() => void>();

export async function loadStop(): Promise<void> {
  stopped = (await recallForever<boolean>("stopped")) ?? false;
}

export const isStopped = (): boolean => stopped;

export const onStopChange = (listener: () => void): void => void listeners.add(listener);

export async function stopEverything(): Promise<void> {
  set(true);
  const leases = allLeases();
  for (const lease of leases) end(lease, "person");
  await Promise.all(leases.map((lease) => detach(lease.tab_id)));
}

export const allowAgain = (): void => set(false);

function set(value: boolean): void {
  stopped = value;
  void rememberForever("stopped", value);
  for (const listener of listeners) listener();
}
