/** Runs a program to its end and collects what it prints. */
import { ok, type Result } from "@/lib/events/error";
import { type ProcessOptions, type ProcessResult, runProcess } from "@/server/base/run-process";

export interface ProgramOutput extends ProcessResult {
  /** Standard output. */
  readonly output: string;
  /** All of it, also beyond `errorOutput`. */
  readonly wholeErrorOutput: string;
}

type ReadOptions = Pick<ProcessOptions, "program" | "arguments" | "environment" | "timeoutMs" | "maxBytes">;

/** Fails as `runProcess`. */
export async function readProgramOutput(options: ReadOptions, signal: AbortSignal): Promise<Result<ProgramOutput>> {
  let output = "";
  let wholeErrorOutput = "";
  const run = await runProcess(
    {
      ...options,
      onOutput(chunk) {
        output += chunk.toString("utf8");
        return "more";
      },
      onErrorOutput(text) {
        wholeErrorOutput += text;
      },
    },
    signal,
  );
  return run.ok ? ok({ ...run.value, output, wholeErrorOutput }) : run;
}
