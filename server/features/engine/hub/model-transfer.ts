/** The transfer of one model's files: running, paused, or failed. */
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { ModelDownload, TransferRate } from "@/lib/models/engine";
import type { Mutex } from "@/server/base/concurrency";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import { receiveFiles } from "../download/receive-files";
import { makeTransferJob } from "../download/transfer-job";
import { hubFileAddress } from "./hub";
import { downloadTargets, isWhole, receivedBytes, type StoredDownload, totalBytes } from "./stored-downloads";

export interface ModelTransfer {
  readonly stored: StoredDownload;
  state(): ModelDownload;
  /**
   * Does nothing while it runs; waits for one that is being paused to end. Fails with model_file_broken if the file is broken
   * on the server: it would be again.
   */
  start(): Promise<Result<null>>;
  /** Takes the last step of one whose files have all arrived, if they have. */
  finish(): Promise<void>;
  /** Resolves when nothing is being received any more. What was received is kept. */
  pause(): Promise<void>;
}

interface TransferOptions {
  /** Absolute folder of the engine. */
  readonly folder: string;
  /** Address of Hugging Face or a mirror. */
  hub(): Result<string>;
  /** Two models may have the same projector: each file is received by one transfer at a time. */
  readonly files: Mutex;
  onChange(): void;
  /** All files are there; a failure is that of the download. */
  received(stored: StoredDownload): Promise<Result<unknown>>;
}

type TransferStep = Pick<ModelDownload, "status" | "completed"> & TransferRate;

/** The transfer is paused. */
export async function openModelTransfer(stored: StoredDownload, options: TransferOptions): Promise<ModelTransfer> {
  const { folder, hub, files, onChange, received } = options;
  let completed = await receivedBytes(folder, stored);
  let error: AgentError | null = null;
  const job = makeTransferJob<TransferStep>(onChange);

  const run = async (report: (step: TransferStep) => void, signal: AbortSignal): Promise<Result<unknown>> => {
    const source = hub();
    if (!source.ok) return source;
    const downloads = downloadTargets(folder, stored).map((file) => ({
      ...file,
      address: hubFileAddress(source.value, stored.repository, stored.commit, file.path),
    }));
    const result = await receiveFiles(
      downloads,
      files,
      // The checksum of a file of many gigabytes takes a while.
      ({ isFileWhole, ...step }) => report(isFileWhole ? { status: "checking", completed: step.completed } : step),
      signal,
    );
    if (!result.ok) return result;
    return signal.aborted ? fail("aborted") : received(stored);
  };
  const ended = async (failure: AgentError | null): Promise<void> => {
    // A file with a wrong checksum was deleted.
    completed = await receivedBytes(folder, stored);
    error = failure;
  };
  return {
    stored,
    state: () => ({
      reference: stored.reference,
      name: stored.name,
      status: error === null ? "paused" : "failed",
      completed,
      bytes: totalBytes(stored),
      ...(error === null ? {} : { error }),
      ...job.step(),
    }),
    async start() {
      await job.untilStopped();
      if (error?.code === "model_file_broken") return { ok: false, error };
      if (job.step() === null) error = null;
      job.start(
        { status: "downloading", completed },
        { run: (report, signal) => catchFileErrors(folder, () => run(report, signal)), ended },
      );
      return ok(null);
    },
    async finish() {
      if (!(await isWhole(folder, stored))) return;
      const result = await catchFileErrors(folder, () => received(stored));
      await ended(result.ok ? null : result.error);
      onChange();
    },
    pause: job.stop,
  };
}
