/** Limits messages that come in bursts: after the last one that is passed on, one says that there are more. */

interface BurstLimitOptions {
  /** Messages within `windowMs`. */
  readonly max: number;
  readonly windowMs: number;
  /** ms epoch */
  now(): number;
}

/**
 * Called for each message: message = it is passed on, more = in its place one says that there are more, none = it is left out,
 * for `windowMs` after that.
 */
export type BurstLimit = () => "message" | "more" | "none";

export function makeBurstLimit({ max, windowMs, now }: BurstLimitOptions): BurstLimit {
  let sentAt: readonly number[] = [];
  let quietUntil = Number.NEGATIVE_INFINITY;
  return () => {
    const at = now();
    if (at < quietUntil) return "none";
    sentAt = sentAt.filter((one) => at - one < windowMs);
    if (sentAt.length < max) {
      sentAt = [...sentAt, at];
      return "message";
    }
    quietUntil = at + windowMs;
    return "more";
  };
}
