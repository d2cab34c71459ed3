/** When a stream of events that has ended is opened again. A server that wants no certain delay is asked less often. */

/** The first delay, the longest one, and the shortest that a server may request. ms. */
const reconnectMs = { first: 1_000, most: 30_000, leastRequested: 100 } as const;
/** Each further time within this time doubles the delay, ms. */
const repeatedMs = 60_000;

/** In place of a delay: the server has requested none. It cannot request a negative one. */
export const noRequestedDelay = -1;

/** Returns a function that returns the delay of the next time, ms; `requested` = the one that the server wants. */
export function makeReconnectDelay(now: () => number): (requested: number) => number {
  let recent: readonly number[] = [];
  return (requested) => {
    // Servers that answer a call in several streams want it to be repeated as often as they request.
    if (requested >= 0) return Math.min(Math.max(requested, reconnectMs.leastRequested), reconnectMs.most);
    const at = now();
    recent = [...recent.filter((one) => at - one < repeatedMs), at];
    return Math.min(reconnectMs.first * 2 ** (recent.length - 1), reconnectMs.most);
  };
}
