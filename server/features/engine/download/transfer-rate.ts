/** Speed and remaining time of a download of one or more files, from the reports of `resumeDownload`. */
import type { TransferRate } from "@/lib/models/engine";
import { makeSpeedMeter } from "@/server/base/speed-meter";
import type { DownloadReport } from "./resume-download";

interface TransferRateMeter {
  /** After a failed connection the speed is measured again. */
  add(report: Pick<DownloadReport, "received" | "isRetrying">): void;
  /** `missingBytes` = what has not arrived yet. */
  rate(missingBytes: number): TransferRate;
}

/** Status of a running download after a report; `missingBytes` as of `rate`. */
export function findTransferStatus(
  { isRetrying, retryMs }: Pick<DownloadReport, "isRetrying" | "retryMs">,
  meter: TransferRateMeter,
  missingBytes: number,
): TransferRate & { readonly status: "downloading" | "retrying" | "silent" } {
  if (retryMs !== undefined) return { status: "silent", retrySeconds: Math.ceil(retryMs / 1_000) };
  return isRetrying ? { status: "retrying" } : { status: "downloading", ...meter.rate(missingBytes) };
}

/** `now` in ms. */
export function makeTransferRateMeter(now: () => number): TransferRateMeter {
  let speed = makeSpeedMeter(now);
  return {
    add({ received, isRetrying }) {
      if (isRetrying) speed = makeSpeedMeter(now);
      else speed.add(received);
    },
    rate(missingBytes) {
      const bytesPerSecond = speed.bytesPerSecond();
      return bytesPerSecond === 0 ? {} : { bytesPerSecond, secondsLeft: Math.ceil(missingBytes / bytesPerSecond) };
    },
  };
}
