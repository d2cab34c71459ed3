/** Receives several files one after the other, with the progress of all of them. */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { ok, type Result } from "@/lib/events/error";
import type { TransferRate } from "@/lib/models/engine";
import type { Mutex } from "@/server/base/concurrency";
import { type Download, resumeDownload } from "./resume-download";
import { findTransferStatus, makeTransferRateMeter } from "./transfer-rate";

interface FilesReport extends TransferRate {
  readonly status: "downloading" | "retrying" | "silent";
  /** Bytes of all files. */
  readonly completed: number;
  /** The file that is being received has arrived; its checksum is being computed. */
  readonly isFileWhole: boolean;
}

/** Each file is received by one transfer of the mutex at a time. Fails as `resumeDownload`. */
export async function receiveFiles(
  downloads: readonly Download[],
  files: Mutex,
  report: (step: FilesReport) => void,
  signal: AbortSignal,
): Promise<Result<null>> {
  const meter = makeTransferRateMeter(() => performance.now());
  let missing = downloads.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  for (const download of downloads) {
    const { target, bytes } = download;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const [start, left] = [before, missing];
    const receive = (): Promise<Result<null>> =>
      resumeDownload(
        download,
        {
          progress(step) {
            meter.add(step);
            const status = findTransferStatus(step, meter, left - step.completed);
            report({ ...status, completed: start + step.completed, isFileWhole: step.completed === bytes });
          },
        },
        signal,
      );
    const received = await files.hold(target, receive, signal);
    if (!received.ok) return received;
    before += bytes;
    missing -= bytes;
  }
  return ok(null);
}
