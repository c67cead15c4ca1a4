// The browsers whose extension is connected, or was: which one an operation means, and waiting for one to come back.
import type {Channel} from "../../shared/channel.ts";
import {SubletError} from "../../shared/errors.ts";
import {LIMITS} from "../../shared/limits.ts";
import type {ExtensionState, Status} from "../../shared/protocol.ts";
import type {Clock} from "./clock.ts";

/** One connection of one extension, from `ready` until its socket closes. */
export interface Link {
  readonly channel: Channel;
  /** The same again after a reconnect means that only the extension's worker restarted. */
  readonly epoch: string;
}

export interface BrowserFacts {
  install_id: string;
  name: string;
  product: string;
  extension_version: string;
}

export interface Browser extends BrowserFacts {
  readonly letter: string;
  link: Link | null;
  state: ExtensionState;
}

export interface Browsers {
  /** A proven connection; it replaces the one that the same browser had. */
  connected(facts: BrowserFacts, link: Link): void;
  /** The end of a connection; an older one than the present changes nothing. */
  disconnected(installId: string, link: Link): void;
  reported(installId: string, state: ExtensionState): void;
  forget(installId: string): void;
  all(): Browser[];
  /**
   * The browser that a session's first operation means.
   * @throws SubletError browser_unavailable, ambiguous_browser, unknown_browser, cancelled.
   */
  choose(named: string | undefined, signal: AbortSignal): Promise<Browser>;
  /** Its connection, now or by `untilMs` on the clock; null when time runs out. Rejects when the signal aborts. */
  link(installId: string, untilMs: number, signal: AbortSignal): Promise<Link | null>;
  /** Resolves when the browser is away (at once if it is), or the signal aborts. */
  gone(installId: string, signal: AbortSignal): Promise<void>;
  /** Until when a browser that is away may still come back by itself; in the past when it has had its time. */
  expectedUntil(): number;
  /** Called after a browser came or went. */
  onChange(listener: () => void): void;
}

export interface BrowsersOptions {
  clock: Clock;
  /** Browsers with a key that may connect soon after the start. */
  isExpected(): boolean;
  close(link: Link): void;
}

export function createBrowsers({clock, isExpected, close}: BrowsersOptions): Browsers {
  const browsers = new Map<string, Browser>();
  const listeners = new Set<() => void>();
  // The extension knocks at least every half minute, so one that stays away for browserWaitMs does not run. What
  // counts is when one was last there: the start of this bridge, if a browser with a key may have outlived the last.
  let lastThereMs = isExpected() ? clock.now() : Number.NEGATIVE_INFINITY;

  return {
    connected(facts, link) {
      const known = browsers.get(facts.install_id);
      const previous = known?.link ?? null;
      const state = {leases: 0, stopped: false};
      browsers.set(facts.install_id, {
        letter: known?.letter ?? freeLetter(),
        state: known?.state ?? state,
        ...facts,
        link,
      });
      if (previous !== null) close(previous);
      changed();
    },
    disconnected(installId, link) {
      const browser = browsers.get(installId);
      if (browser?.link !== link) return;
      browser.link = null;
      lastThereMs = clock.now();
      changed();
    },
    reported(installId, state) {
      const browser = browsers.get(installId);
      if (browser !== undefined) browser.state = state;
    },
    forget(installId) {
      const link = browsers.get(installId)?.link ?? null;
      browsers.delete(installId);
      if (link !== null) close(link);
      if (browsers.size === 0 && !isExpected()) lastThereMs = Number.NEGATIVE_INFINITY;
      changed();
    },
    all: () => [...browsers.values()],
    choose,
    link,
    gone,
    expectedUntil: () => lastThereMs + LIMITS.browserWaitMs,
    onChange: (listener) => void listeners.add(listener),
  };

  async function choose(named: string | undefined, signal: AbortSignal): Promise<Browser> {
    const until = Math.max(clock.now() + LIMITS.browserAbsentWaitMs, lastThereMs + LIMITS.browserWaitMs);
    const chosen = await waitFor(() => pick(named), until, signal);
    if (chosen !== null) return chosen;
    throw browserUnavailable(named);
  }

  /** Null means: none yet, wait. What no waiting can mend is thrown. */
  function pick(named: string | undefined): Browser | null {
    const there = connectedOnes();
    if (named === undefined) {
      if (there.length > 1)
        throw new SubletError("ambiguous_browser", `${there.length} browsers are connected; say which one`, {
          candidates: there.map(asCandidate),
        });
      return there[0] ?? null;
    }
    const matches = [...browsers.values()].filter((browser) => isNamed(browser, named));
    const matching = matches.filter((browser) => browser.link !== null);
    if (matching.length > 1)
      throw new SubletError(
        "ambiguous_browser",
        `${matching.length} browsers are called "${named}"; use the letter`,
        {candidates: matching.map(asCandidate)},
      );
    if (matching.length === 0 && matches.length === 0 && there.length > 0) {
      throw new SubletError("unknown_browser", `no connected browser is called "${named}"`, {
        candidates: there.map(asCandidate),
      });
    }
    return matching[0] ?? null;
  }

  async function link(installId: string, untilMs: number, signal: AbortSignal): Promise<Link | null> {
    return waitFor(() => browsers.get(installId)?.link ?? null, untilMs, signal);
  }

  async function gone(installId: string, signal: AbortSignal): Promise<void> {
    const isAway = () => (browsers.get(installId)?.link ? null : true);
    await waitFor(isAway, Number.POSITIVE_INFINITY, signal).catch(() => null);
  }

  /** Asks again after each change, until there is an answer, the time is over or the signal aborts. */
  function waitFor<Value>(
    ask: () => Value | null,
    untilMs: number,
    signal: AbortSignal,
  ): Promise<Value | null> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        listeners.delete(look);
        cancelTimer();
        signal.removeEventListener("abort", onAbort);
        settle();
      };
      const onAbort = () =>
        finish(() => reject(new SubletError("cancelled", "cancelled while waiting for the browser")));
      const look = () => {
        try {
          const value = ask();
          if (value !== null) finish(() => resolve(value));
        } catch (thrown) {
          finish(() => reject(thrown));
        }
      };
      const timeIsOver = () => finish(() => resolve(null));
      const cancelTimer = Number.isFinite(untilMs)
        ? clock.after(Math.max(0, untilMs - clock.now()), timeIsOver)
        : () => undefined;
      listeners.add(look);
      signal.addEventListener("abort", onAbort, {once: true});
      if (signal.aborted) onAbort();
      else look();
    });
  }

  function changed(): void {
    for (const listener of [...listeners]) listener();
  }

  function connectedOnes(): Browser[] {
    return [...browsers.values()].filter((browser) => browser.link !== null);
  }

  function freeLetter(): string {
    const taken = new Set([...browsers.values()].map((browser) => browser.letter));
    return [..."abcdefghijklmnopqrstuvwxyz"].find((letter) => !taken.has(letter)) ?? `z${browsers.size}`;
  }
}

export const browserStatus = (browser: Browser): Status["browsers"][number] => ({
  letter: browser.letter,
  name: browser.name,
  product: browser.product,
  install_id: browser.install_id,
  extension_version: browser.extension_version,
  connected: browser.link !== null,
  ...browser.state,
});

export const browserUnavailable = (named?: string): SubletError =>
  new SubletError(
    "browser_unavailable",
    named === undefined
      ? "no browser with the Sublet extension is connected"
      : `the browser "${named}" is not connected`,
  );

/** A browser is named by its letter, its name or its installation, in any case of letters. */
export const isNamed = (browser: Browser, named: string): boolean =>
  [browser.letter, browser.name, browser.install_id].some(
    (name) => name.toLowerCase() === named.toLowerCase(),
  );

const asCandidate = ({letter, name, product}: Browser) => ({browser: letter, name, product});
