/** Speed of a transfer over the last seconds. Pure apart from its own state. */

/** Time over which the speed is measured, ms. */
const spanMs = 10_000;
/** Before this time has passed, it is not known, ms. */
const minSpanMs = 500;
/** Samples are at least this far apart, ms. */
const sampleMs = 100;

interface SpeedMeter {
  /** So many bytes have arrived. */
  add(bytes: number): void;
  /** Rounded; 0 = not known yet, or nothing has arrived for a while. */
  bytesPerSecond(): number;
}

/** `now` in ms. */
export function makeSpeedMeter(now: () => number): SpeedMeter {
  const startedAt = now();
  let receivedBytes = 0;
  let arrivedAt = startedAt;
  /** Oldest first. All but the first are within the span. */
  let samples: readonly { readonly at: number; readonly bytes: number }[] = [{ at: startedAt, bytes: 0 }];

  const trim = (at: number): void => {
    const first = samples.findLastIndex((sample) => at - sample.at >= spanMs);
    samples = samples.slice(Math.max(0, first));
  };
  return {
    add(bytes) {
      if (bytes <= 0) return;
      const at = now();
      receivedBytes += bytes;
      arrivedAt = at;
      if (at - (samples.at(-1)?.at ?? 0) < sampleMs) return;
      trim(at);
      samples = [...samples, { at, bytes: receivedBytes }];
    },
    bytesPerSecond() {
      const at = now();
      trim(at);
      const [first] = samples;
      if (first === undefined || at - startedAt < minSpanMs || at - arrivedAt >= spanMs) return 0;
      return Math.round(((receivedBytes - first.bytes) * 1_000) / (at - first.at));
    },
  };
}
