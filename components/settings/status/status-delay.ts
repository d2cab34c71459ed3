/** Decides when the status page requests the state again. Pure. */

/** Least time between two requests, ms. */
const leastMs = 10_000;
/** Time without a message of the server, ms: the size of the home and the service have none. */
const usualMs = 60_000;

/** Times of a query, ms epoch; 0 = never. */
interface StatusTimes {
  readonly isInvalidated: boolean;
  readonly dataUpdatedAt: number;
  readonly errorUpdatedAt: number;
}

/** Returns the delay in ms. A message of the server has invalidated the data if it may have changed. */
export const statusDelay = ({ isInvalidated, dataUpdatedAt, errorUpdatedAt }: StatusTimes, now: number): number => {
  const last = Math.max(dataUpdatedAt, errorUpdatedAt);
  return isInvalidated || errorUpdatedAt > dataUpdatedAt ? Math.max(1, last + leastMs - now) : usualMs;
};
