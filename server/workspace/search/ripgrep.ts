/**
 * Runs the bundled ripgrep with an argument vector, an empty environment and no config; kills it when the search ends
 * early.
 */
import { fail, ok, type Result, thrownText } from "@/lib/events/error";
import { type ProcessEnd, runProcess } from "@/server/base/run-process";

/** Timeout of a search for the model, ms. */
export const searchTimeoutMs = 10_000;

/** Whether to continue; `stop` ends ripgrep at once. */
export type RecordDecision = "more" | "stop";

export interface RipgrepResult {
  /** 0 matches, 1 no matches, 2 error; null if it was stopped. */
  readonly exitCode: number | null;
  readonly ended: ProcessEnd | null;
  /** Its error output, at most 4 KB. */
  readonly stderr: string;
}

interface RipgrepRun {
  readonly arguments: readonly string[];
  /** Absolute folder it runs in. */
  readonly cwd: string;
  /** Byte that ends a record: newline or NUL. */
  readonly separator: number;
  /** A longer record is not stored: `record` receives null. */
  readonly maxRecordBytes: number;
  readonly timeoutMs: number;
  readonly record: (record: Buffer | null) => RecordDecision;
  /** Returns a promise that output is not read before; null = it is read on. */
  whenReady?(): Promise<void> | null;
}

/**
 * Streams records until the end, a `stop`, the time limit or an abort. Fails with search_failed if ripgrep cannot be
 * started.
 */
export async function runRipgrep(run: RipgrepRun, signal: AbortSignal): Promise<Result<RipgrepResult>> {
  if (signal.aborted) return ok({ exitCode: null, ended: "aborted", stderr: "" });
  const program = await findRipgrep();
  if (!program.ok) return program;
  const split = makeSplitter(run.separator, run.maxRecordBytes, run.record);
  const result = await runProcess(
    {
      program: program.value,
      arguments: ["--no-config", ...run.arguments],
      cwd: run.cwd,
      environment: { LC_ALL: "C.UTF-8" },
      timeoutMs: run.timeoutMs,
      onOutput: (chunk) => (split(chunk) === "stop" ? "stop" : (run.whenReady?.() ?? "more")),
    },
    signal,
  );
  if (!result.ok) return fail("search_failed", result.error.detail);
  const { exit, ended, errorOutput } = result.value;
  return ok({ exitCode: ended === null ? exit : null, ended, stderr: errorOutput });
}

/** Returns the path of the program. Imported on use: the platform package may be missing. */
async function findRipgrep(): Promise<Result<string>> {
  try {
    return ok((await import("@vscode/ripgrep")).rgPath);
  } catch (error) {
    return fail("search_failed", thrownText(error));
  }
}

/** Splits a byte stream into records, holding at most one unfinished record of bounded size. */
function makeSplitter(separator: number, maxBytes: number, record: (record: Buffer | null) => RecordDecision) {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size > maxBytes) parts = [];
    else parts.push(part);
  };
  return (chunk: Buffer): RecordDecision => {
    let start = 0;
    for (let end = chunk.indexOf(separator); end !== -1; end = chunk.indexOf(separator, start)) {
      add(chunk.subarray(start, end));
      const whole = size > maxBytes ? null : Buffer.concat(parts);
      parts = [];
      size = 0;
      start = end + 1;
      if (record(whole) === "stop") return "stop";
    }
    if (start < chunk.length) add(chunk.subarray(start));
    return "more";
  };
}
