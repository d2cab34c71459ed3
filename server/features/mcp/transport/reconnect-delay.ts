/** When a broken stream of events is opened again. A server that always ends its streams at once is asked less often. */

/** Delay of the first time, and the longest one; a server may ask for another one within these limits. ms. */
export const reconnectMs = { least: 1_000, most: 30_000 } as const;
/** Each further time within this time doubles the delay, ms. */
const repeatedMs = 60_000;

/** Returns a function that returns the delay of the next time, ms; `requested` = what the client or the server wants. */
export function makeReconnectDelay(now: () => number): (requested: number) => number {
  let recent: readonly number[] = [];
  return (requested) => {
    const at = now();
    recent = [...recent.filter((one) => at - one < repeatedMs), at];
    const grown = reconnectMs.least * 2 ** (recent.length - 1);
    return Math.min(Math.max(requested, grown), reconnectMs.most);
  };
}
