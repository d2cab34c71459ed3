/** The time of a server's life and calls; tests replace it. */

export interface Clock {
  /** ms, never goes back */
  now(): number;
  /** Runs `work` after `ms`; the returned function cancels it. Does not keep the process running. */
  after(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};
