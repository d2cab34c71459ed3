/** Does the work of a job over as many connections as it needs, until it is done or the user ends it. */
import { printable, UsageError } from "../arguments/options";
import { RunFailure } from "../cli-error-text";
import { abortedExitCode, isReaderGone, outputErrorText } from "../server-job";
import { LinkLost } from "../session-link";
import { findOrStartServer, StartError } from "../start-server";
import { type JobConnection, type RunJob, runJob } from "./run-job";
import type { RunOutput } from "./run-printer";

/** Number of lost connections tolerated in one run. */
const maxConnectionLosses = 5;

/** Prints an expected failure, for which it returns 1, or 2 if the input is wrong. Ends the output. */
export async function reportFailures(output: RunOutput, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof RunFailure)) throw error;
    output.note(`gopi-web: ${error.message}`);
    return error instanceof UsageError ? 2 : 1;
  } finally {
    output.end();
  }
}

/**
 * Does `work` over as many connections as it needs. `onStop` is called when the user requests the end. When the reader of the
 * output has gone, the run stops, and the exit code is 0.
 */
export async function runUntilDone(
  job: RunJob,
  output: RunOutput,
  work: (connection: JobConnection) => Promise<number>,
  onStop = (): void => {},
): Promise<number> {
  const { command } = job;
  const leave = new AbortController();
  const stop = (signal?: NodeJS.Signals): void => {
    job.isEnding ||= signal !== "SIGINT";
    // A second signal, or one before there is anything to stop, leaves at once.
    if (job.stopping || job.abort === null) return leave.abort();
    job.stopping = true;
    onStop();
    void job.abort().catch(() => leave.abort());
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  let outputError: unknown = null;
  // Every further write fails; the first error stops the run.
  process.stdout.on("error", (error) => {
    outputError ??= error;
    if (!job.stopping) stop();
  });
  try {
    for (; ; job.losses += 1) {
      const server = await findOrStartServer(command.home, command.cwd, leave.signal);
      try {
        const code = await runJob(job, server, output, work, leave.signal);
        if (outputError === null) return code;
        if (isReaderGone(outputError)) return 0;
        throw new RunFailure(outputErrorText(outputError));
      } catch (error) {
        if (!(error instanceof LinkLost) || leave.signal.aborted) throw error;
        if (job.stopping) return isReaderGone(outputError) ? 0 : abortedExitCode;
        if (job.losses === maxConnectionLosses)
          throw new RunFailure(`the connection was lost (${printable(error.message)})`);
        output.note("· connection lost, reconnecting");
      }
    }
  } catch (error) {
    if (leave.signal.aborted) return isReaderGone(outputError) ? 0 : abortedExitCode;
    if (error instanceof StartError) throw new RunFailure(`${error.message}; see ${printable(error.log)}`);
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}
