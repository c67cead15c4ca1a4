// Wakes whoever waits when something happened in the document: mutations, input, focus, navigation within it, ends of
// animations; with a slow clock as the net, for what nothing tells of (a style sheet, a title, a closed root).
import {rootsIn} from "./tree.ts";

export interface Watch {
  stop(): void;
}

const events = [
  "input",
  "change",
  "focusin",
  "focusout",
  "transitionend",
  "animationend",
  "toggle",
  "load",
  "scroll",
  "submit",
] as const;
const windowEvents = ["popstate", "hashchange", "resize", "pageshow"] as const;

const watches = new Set<Watch>();

export function onActivity(
  wake: (why: "mutation" | "event" | "clock") => void,
  clockMs: number | null,
): Watch {
  const observer = new MutationObserver(() => wake("mutation"));
  const onEvent = () => wake("event");
  const all = {subtree: true, childList: true, attributes: true, characterData: true};
  for (const root of rootsIn(document)) observer.observe(root, all);
  for (const type of events) document.addEventListener(type, onEvent, {capture: true, passive: true});
  for (const type of windowEvents) addEventListener(type, onEvent, {passive: true});
  globalThis.navigation?.addEventListener("currententrychange", onEvent);
  const clock = clockMs === null ? null : setInterval(() => wake("clock"), clockMs);
  const watch = {
    stop() {
      observer.disconnect();
      for (const type of events) document.removeEventListener(type, onEvent, true);
      for (const type of windowEvents) removeEventListener(type, onEvent);
      globalThis.navigation?.removeEventListener("currententrychange", onEvent);
      if (clock !== null) clearInterval(clock);
      watches.delete(watch);
    },
  };
  watches.add(watch);
  return watch;
}

/** Nothing of ours goes on listening. */
export function stopActivity(): void {
  for (const watch of [...watches]) watch.stop();
}

/** Resolves at the first sign of life, or when time runs out. */
export function activityWithin(timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (happened: boolean) => {
      watch.stop();
      clearTimeout(timer);
      resolve(happened);
    };
    const watch = onActivity(() => end(true), null);
    const timer = setTimeout(() => end(false), timeoutMs);
  });
}
