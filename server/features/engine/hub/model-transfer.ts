/** The transfer of one model's files: running, paused, or failed. */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { ModelDownload, TransferRate } from "@/lib/models/engine";
import type { Mutex } from "@/server/base/concurrency";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import { makeProgressReport } from "../download/progress-report";
import { type DownloadReport, resumeDownload } from "../download/resume-download";
import { findTransferStatus, makeTransferRateMeter } from "../download/transfer-rate";
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

const toFailure = (cause: unknown): Result<never> =>
  fail("internal", cause instanceof Error ? cause.message : String(cause));

const clock = (): number => performance.now();

/** The transfer is paused. */
export async function openModelTransfer(stored: StoredDownload, options: TransferOptions): Promise<ModelTransfer> {
  const { folder, onChange, received } = options;
  const bytes = totalBytes(stored);
  let completed = await receivedBytes(folder, stored);
  let status: ModelDownload["status"] = "paused";
  let error: AgentError | null = null;
  let stop = new AbortController();
  let running: Promise<void> | null = null;

  let meter = makeTransferRateMeter(clock);
  /** Of a running download. */
  let rate: TransferRate = {};

  const reports = makeProgressReport(onChange);
  const report = (step: DownloadReport, isFileWhole: boolean): void => {
    completed = step.completed;
    meter.add(step);
    // The checksum of a file of many gigabytes takes a while.
    const { status: receiving, ...measured } = findTransferStatus(step, meter, bytes - completed);
    const next = isFileWhole ? "checking" : receiving;
    rate = isFileWhole ? {} : measured;
    if (next === status) return reports.soon();
    status = next;
    reports.now();
  };
  const receive = async (): Promise<Result<unknown>> => {
    const { signal } = stop;
    const result = await receiveFiles(stored, options, report, signal);
    if (!result.ok) return result;
    return signal.aborted ? fail("aborted") : received(stored);
  };
  const end = async (result: Result<unknown>): Promise<void> => {
    // A file with a wrong checksum was deleted.
    completed = await receivedBytes(folder, stored);
    running = null;
    error = result.ok || result.error.code === "aborted" ? null : result.error;
    status = error === null ? "paused" : "failed";
    rate = {};
    reports.now();
  };
  return {
    stored,
    state: () => ({
      reference: stored.reference,
      name: stored.name,
      status,
      completed,
      bytes,
      ...rate,
      ...(error === null ? {} : { error }),
    }),
    async start() {
      while (running !== null && stop.signal.aborted) await running;
      if (error?.code === "model_file_broken") return { ok: false, error };
      if (running !== null) return ok(null);
      stop = new AbortController();
      meter = makeTransferRateMeter(clock);
      rate = {};
      status = "downloading";
      error = null;
      running = catchFileErrors(folder, receive)
        .catch((cause: unknown) => (stop.signal.aborted ? fail("aborted") : toFailure(cause)))
        .then(end);
      reports.now();
      return ok(null);
    },
    async finish() {
      if (await isWhole(folder, stored)) await end(await catchFileErrors(folder, () => received(stored)));
    },
    async pause() {
      stop.abort();
      await running;
    },
  };
}

/** Receives the files one after the other. `report` gets the bytes of all of them, and whether those of one are all there. */
async function receiveFiles(
  stored: StoredDownload,
  { folder, hub, files }: Pick<TransferOptions, "folder" | "hub" | "files">,
  report: (step: DownloadReport, isFileWhole: boolean) => void,
  signal: AbortSignal,
): Promise<Result<null>> {
  const source = hub();
  if (!source.ok) return source;
  let before = 0;
  for (const { path, target, bytes, sha256 } of downloadTargets(folder, stored)) {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const address = hubFileAddress(source.value, stored.repository, stored.commit, path);
    const start = before;
    const progress = (step: DownloadReport): void =>
      report({ ...step, completed: start + step.completed }, step.completed === bytes);
    const receiveFile = () => resumeDownload({ address, target, bytes, sha256 }, { progress }, signal);
    const result = await files.hold(target, receiveFile, signal);
    if (!result.ok) return result;
    before += bytes;
  }
  return ok(null);
}
