/** Speed and remaining time of a download of one or more files, from the reports of `resumeDownload`. */
import type { TransferRate } from "@/lib/models/engine";
import { makeSpeedMeter } from "@/server/base/speed-meter";

export interface TransferRateMeter {
  /** So many bytes have arrived. */
  add(bytes: number): void;
  /** `missingBytes` = what has not arrived yet. */
  rate(missingBytes: number): TransferRate;
}

/** `now` in ms. */
export function makeTransferRateMeter(now: () => number): TransferRateMeter {
  const speed = makeSpeedMeter(now);
  return {
    add: speed.add,
    rate(missingBytes) {
      const bytesPerSecond = speed.bytesPerSecond();
      return bytesPerSecond === 0 ? {} : { bytesPerSecond, secondsLeft: Math.ceil(missingBytes / bytesPerSecond) };
    },
  };
}
