// How long the document has been quiet, for `dom_stable`. The observer runs only while somebody asks.
import {rootsIn} from "./tree.ts";

interface Observed {
  observer: MutationObserver;
  since: number;
  changed: number | null;
  asked: number;
}

let observed: Observed | null = null;
const forgetAfterMs = 15_000;

/** `quiet`: since the last change, or since it is watched; `watched`: how long that has been. */
export function quietMs(): {quiet: number; watched: number} {
  const now = performance.now();
  observed ??= begin(now);
  observed.asked = now;
  if (observed.observer.takeRecords().length > 0) observed.changed = now;
  return {quiet: now - (observed.changed ?? observed.since), watched: now - observed.since};
}

export function stopQuiet(): void {
  observed?.observer.disconnect();
  observed = null;
}

function begin(now: number): Observed {
  const observer = new MutationObserver(() => {
    if (observed === null) return;
    observed.changed = performance.now();
    // Nobody has asked for long: a page that changes all the time must not pay for it.
    if (observed.changed - observed.asked > forgetAfterMs) stopQuiet();
  });
  for (const root of rootsIn(document)) {
    observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
  }
  return {observer, since: now, changed: null, asked: now};
}
