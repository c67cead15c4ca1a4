// Time, so that tests can move it.
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls once, after so many milliseconds; never keeps the process alive. Returns what cancels it. */
  after(ms: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after(ms, call) {
    const timer = setTimeout(call, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
