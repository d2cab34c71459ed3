/**
 * `gopi-web run`: a prompt, or the requests of a script, without a browser. A client of the home's server, over the same
 * socket as the page. Its commands carry ids, so after a lost connection it repeats everything.
 */
import type { RunArguments } from "../arguments/parse-arguments";
import { type Environment, printable, UsageError } from "../arguments/options";
import { readPrompt } from "../arguments/prompt";
import { type JobConnection, makeRunJob, type RunJob, runJob, sendOnePrompt } from "./run-job";
import { makeRunPrinter, type RunOutput } from "./run-printer";
import { followScript } from "./run-script";
import { openScriptInput } from "./script-input";
import { promptApproval, unansweredDenial } from "./terminal-approval";
import { RunFailure } from "../cli-error-text";
import { LinkLost } from "../session-link";
import { findOrStartServer, StartError } from "../start-server";

/** Number of lost connections tolerated in one run. */
const maxConnectionLosses = 5;
const abortedExitCode = 130;

/** Exit code: 0 done, 1 error, 2 usage, 3 stopped at a limit, 130 aborted. */
export function runPrompt(command: RunArguments, environment: Environment): Promise<number> {
  const job = makeRunJob(command);
  const output = makeOutput(command, environment);
  return reportFailures(output, async () => {
    if (command.stdin) return runScript(job, output);
    const prompt = command.prompt ?? (await readPrompt(process.stdin));
    return runUntilDone(job, output, sendOnePrompt(job, prompt));
  });
}

/** The requests of a session's cards are on standard output, those of its subagents are not. */
async function runScript(job: RunJob, output: RunOutput): Promise<number> {
  const input = openScriptInput(process.stdin);
  const report = (line: number, error: object): void =>
    void process.stdout.write(`${JSON.stringify({ line, error })}\n`);
  const ask: RunOutput["ask"] = async (_call, _approval, sessionId, signal) => {
    if (sessionId === job.sessionId) await input.ended(signal);
    return unansweredDenial;
  };
  try {
    return await runUntilDone(
      job,
      { ...output, ask },
      followScript(job, input, job.command.prompt, report),
      input.close,
    );
  } finally {
    input.close();
  }
}

/** Prints an expected failure of `run`, for which it returns 1, or 2 if the input is wrong. Ends the output. */
async function reportFailures(output: RunOutput, run: () => Promise<number>): Promise<number> {
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

/** Does `work` over as many connections as it needs. `onStop` is called when the user requests the end. */
async function runUntilDone(
  job: RunJob,
  output: RunOutput,
  work: (connection: JobConnection) => Promise<number>,
  onStop = (): void => {},
): Promise<number> {
  const { command } = job;
  const leave = new AbortController();
  const stop = (): void => {
    // A second signal, or one before there is anything to stop, leaves at once.
    if (job.stopping || job.abort === null) return leave.abort();
    job.stopping = true;
    onStop();
    void job.abort().catch(() => leave.abort());
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  // The reader of the output has gone: every further write fails; the first error stops the run.
  process.stdout.on("error", () => {
    if (!job.stopping) stop();
  });
  try {
    for (let losses = 0; ; losses += 1) {
      const server = await findOrStartServer(command.home, command.cwd, leave.signal);
      try {
        return await runJob(job, server, output, work, leave.signal);
      } catch (error) {
        if (!(error instanceof LinkLost) || leave.signal.aborted) throw error;
        if (job.stopping) return abortedExitCode;
        if (losses === maxConnectionLosses)
          throw new RunFailure(`the connection was lost (${printable(error.message)})`);
        output.note("· connection lost, reconnecting");
      }
    }
  } catch (error) {
    if (leave.signal.aborted) return abortedExitCode;
    if (error instanceof StartError) throw new RunFailure(`${error.message}; see ${printable(error.log)}`);
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

function makeOutput(command: RunArguments, environment: Environment): RunOutput {
  const printer = makeRunPrinter({
    text: (text) => void process.stdout.write(text),
    lines: (text) => void process.stderr.write(text),
    terminal: process.stdout.isTTY,
    colours: process.stderr.isTTY && !environment.NO_COLOR && environment.TERM !== "dumb",
  });
  // Standard input is interactive only if it is a terminal and the prompt did not come from it.
  const interactive = process.stdin.isTTY && process.stderr.isTTY && command.prompt !== null;
  const show = (text: string): void => void process.stderr.write(text);
  const ask: RunOutput["ask"] = interactive
    ? (call, approval, _sessionId, signal) => promptApproval(call, approval, show, signal)
    : null;
  if (!command.json) return { ...printer, events: () => {}, ask };
  const events: RunOutput["events"] = (envelopes) =>
    void process.stdout.write(envelopes.map((envelope) => `${JSON.stringify(envelope)}\n`).join(""));
  return { ...printer, show: () => {}, events, ask };
}
