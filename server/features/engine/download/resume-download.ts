/**
 * A resumable download of a file whose size and checksum are known before. It is received as `NAME.part` beside its
 * place, continued by a range request (RFC 9110, section 14) after a cut, a kill or a cancel, and renamed once the
 * checksum is right: a file that exists at its place is whole.
 */
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { pause } from "@/server/base/abort";
import { type NodeResponse, SocketError } from "@/server/providers/wire/node-fetch";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import { openAnswer } from "./open-answer";
import { fileSize, partFile } from "./received-size";

export interface Download {
  /** https, or http on this machine. */
  readonly address: string;
  /** Absolute path of the file; its folder exists. */
  readonly target: string;
  readonly bytes: number;
  /** Checksum of the whole file, lower-case hexadecimal. */
  readonly sha256: string;
}

export interface DownloadReport {
  /** Bytes on disk. */
  readonly completed: number;
  /** Bytes that have arrived since the report before. */
  readonly received: number;
  /** The connection has failed, and no byte has arrived since. */
  readonly isRetrying: boolean;
  /** The connection is open, but no byte has arrived for `quietMs`: time until it counts as cut, ms. */
  readonly retryMs?: number;
}

interface DownloadOptions {
  /** Called before each request, after every received piece, when a request has failed, and regularly while none arrives. */
  progress(report: DownloadReport): void;
  /** Time without a byte after which a connection counts as cut, ms. */
  readonly stalledMs?: number;
  /** Time without a byte after which this is reported, ms. */
  readonly quietMs?: number;
  /** Pause before the first repetition, ms; doubled each time. */
  readonly retryMs?: number;
}

const defaultStalledMs = 60_000;
const defaultQuietMs = 10_000;
const defaultRetryMs = 1_000;
/** Time between two reports while nothing arrives, ms. */
const idleReportMs = 1_000;
/** Repetitions without a new byte. */
const maxRetries = 4;

/**
 * Resolves when the file is at its place. One of the same size that is there already is not read again: it was received
 * before, maybe with another checksum, as the file of an older commit that another model uses. What has arrived is kept for
 * the next call after aborted, download_failed (facts: `host`, `status` if the server answered, `hasOtherFile` if it sent
 * another file) and disk_full (facts: `missingBytes`). Also fails with wrong_checksum (nothing is kept), and with
 * no_permission and not_found for the folder.
 */
export async function resumeDownload(
  download: Download,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<Result<null>> {
  return catchFileErrors(download.target, async () => {
    if ((await fileSize(download.target)) === download.bytes) return ok(null);
    return receive(download, options, signal);
  });
}

/** Receives the rest of the file, in as many requests as it takes. */
async function receive(download: Download, options: DownloadOptions, signal: AbortSignal): Promise<Result<null>> {
  const { retryMs = defaultRetryMs } = options;
  let failure: Result<never> = fail("download_failed");
  for (let retries = 0; retries <= maxRetries; retries += 1) {
    const before = await fileSize(partFile(download.target));
    const isRetrying = retries > 0;
    if (isRetrying) {
      options.progress({ completed: before, received: 0, isRetrying });
      if (!(await pause(retryMs * 2 ** (retries - 1), signal))) return fail("aborted");
    }
    const received = await receiveOnce(download, options, isRetrying, signal);
    if (received.ok) return finish(download, signal);
    if (signal.aborted) return fail("aborted");
    const { error } = received;
    // A refusal stays one; a cut or an overloaded server may not.
    if (error.code !== "download_failed" || (error.facts?.status ?? 500) < 500) return received;
    failure = received;
    if ((await fileSize(partFile(download.target))) > before) retries = 0;
  }
  return failure;
}

/** Appends one answer to the part. Succeeds when it has all bytes. */
async function receiveOnce(
  download: Download,
  { progress, stalledMs = defaultStalledMs, quietMs = defaultQuietMs }: DownloadOptions,
  isRetry: boolean,
  signal: AbortSignal,
): Promise<Result<null>> {
  const part = partFile(download.target);
  let size = await fileSize(part);
  if (size > download.bytes) {
    await rm(part);
    size = 0;
  }
  let completed = size;
  let isRetrying = isRetry && size < download.bytes;
  let silentMs = 0;
  const report = (received: number): void => {
    const isQuiet = silentMs >= quietMs && silentMs < stalledMs;
    progress({ completed, received, isRetrying, ...(isQuiet && { retryMs: stalledMs - silentMs }) });
  };
  report(0);
  if (size === download.bytes) return ok(null);
  const { bavail, bsize } = await statfs(dirname(part));
  const missingBytes = download.bytes - size - bavail * bsize;
  if (missingBytes > 0) return fail("disk_full", undefined, { missingBytes });
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), stalledMs);
  const idle = setInterval(() => {
    silentMs += idleReportMs;
    report(0);
  }, idleReportMs);
  try {
    const opened = await openAnswer(download.address, { first: size }, AbortSignal.any([signal, stalled.signal]));
    if (!opened.ok) return opened;
    const { response, host } = opened.value;
    if (response.status === 416) {
      // The part is not the beginning of this file.
      response.destroy();
      await rm(part, { force: true });
      return fail("download_failed", "416", { host });
    }
    if (!isAnswerOf(response, size, download.bytes)) {
      response.destroy();
      return fail("download_failed", "another file was sent", { host, status: 0, hasOtherFile: true });
    }
    const appended = await appendTo(part, response, size, download.bytes, (bytesOnDisk, received) => {
      timer.refresh();
      idle.refresh();
      silentMs = 0;
      completed = bytesOnDisk;
      isRetrying = false;
      report(received);
    });
    return appended ?? fail("download_failed", "the connection was cut", { host });
  } finally {
    clearTimeout(timer);
    clearInterval(idle);
  }
}

/** A page of a proxy would replace the part. A length that is not stated is accepted. */
function isAnswerOf(response: NodeResponse, size: number, bytes: number): boolean {
  const [, first, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.header("content-range") ?? "") ?? [];
  if (response.status === 206) return Number(first) === size && (total === "*" || Number(total) === bytes);
  const length = response.header("content-length");
  return length === undefined || Number(length) === bytes;
}

/** Writes the body behind the `size` bytes of the part, or from its start. null = it ended, or broke, too early. */
async function appendTo(
  part: string,
  response: NodeResponse,
  size: number,
  bytes: number,
  progress: (completed: number, received: number) => void,
): Promise<Result<null> | null> {
  const isResumed = response.status === 206 && response.header("content-range")?.startsWith(`bytes ${size}-`) === true;
  const handle = await open(part, isResumed ? "a" : "w", 0o600);
  try {
    let completed = isResumed ? size : 0;
    for await (const chunk of response.body) {
      // One byte beyond the size is kept, so that the checksum of an answer that is too long is wrong.
      await writeAll(handle, chunk.subarray(0, bytes + 1 - completed));
      completed += chunk.length;
      progress(Math.min(completed, bytes), chunk.length);
      if (completed > bytes) break;
    }
    return completed >= bytes ? ok(null) : null;
  } catch (error) {
    if (error instanceof SocketError) return null;
    throw error;
  } finally {
    response.destroy();
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}

/** Checks the received part and gives it its name. A part with other bytes is deleted. Fails with aborted, too. */
async function finish(download: Download, signal: AbortSignal): Promise<Result<null>> {
  const part = partFile(download.target);
  const hash = await hashFile(part, signal);
  if (hash === null) return fail("aborted");
  if ((await fileSize(part)) !== download.bytes || hash.digest("hex") !== download.sha256) {
    await rm(part, { force: true });
    return fail("wrong_checksum");
  }
  const handle = await open(part, "r+");
  await handle.sync().finally(() => handle.close());
  await rename(part, download.target);
  return ok(null);
}

/** null = the signal has fired. */
async function hashFile(path: string, signal: AbortSignal): Promise<Hash | null> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 })) {
    if (signal.aborted) return null;
    hash.update(chunk);
  }
  return signal.aborted ? null : hash;
}
