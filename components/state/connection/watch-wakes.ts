/** Notices when the page may have lost its connection without a word: after sleep, in another network, from the browser's cache. */

const tickMs = 1_000;
/** A longer pause between two ticks is a sleep of the machine or of the tab, ms. */
const jumpMs = 5_000;

/** Calls `onWake` at each such event, until the returned function is called. */
export function watchWakes(onWake: () => void): () => void {
  let last = Date.now();
  const timer = setInterval(() => {
    const before = last;
    last = Date.now();
    if (last - before > jumpMs) onWake();
  }, tickMs);
  document.addEventListener("visibilitychange", onWake);
  addEventListener("pageshow", onWake);
  addEventListener("online", onWake);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onWake);
    removeEventListener("pageshow", onWake);
    removeEventListener("online", onWake);
  };
}
