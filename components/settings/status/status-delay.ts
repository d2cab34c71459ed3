/** Decides when the status page requests the state again. Pure. */

/** Least time between two requests, ms. */
const leastMs = 10_000;
/** Time without a message of the server, ms: the size of the home and the service have none. */
const usualMs = 60_000;

/** Returns the delay in ms. A message of the server has invalidated the data if it may have changed. */
export const statusDelay = (
  { isInvalidated, dataUpdatedAt }: { readonly isInvalidated: boolean; readonly dataUpdatedAt: number },
  now: number,
): number => (isInvalidated ? Math.max(1, dataUpdatedAt + leastMs - now) : usualMs);
