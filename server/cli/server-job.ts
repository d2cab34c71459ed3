/** Runs a command line client of the server: for some commands, or for a job such as a model test. */
import type { ClientId } from "@/lib/events/id";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import type { Push } from "@/lib/protocol/push";
import { randomId } from "@/server/base/id";
import { errnoName } from "@/server/base/system-errors";
import { printable } from "./arguments/options";
import { RunFailure, cliErrorText } from "./cli-error-text";
import { callServer } from "./server-client";
import { type CommandLink, LinkLost, openLink, type SessionLink } from "./session-link";
import { findOrStartServer, StartError } from "./start-server";

export const abortedExitCode = 130;

/**
 * Runs a client of the server until its end. The first Ctrl+C aborts `signal`, the second one `leave`. Prints expected
 * failures, for which it returns 1, or 130 after a Ctrl+C. When the output cannot be written any more, `signal` aborts; the
 * exit code is 0 if its reader has gone, and 1 for any other reason, which is printed.
 */
export async function runInterruptible(
  work: (signal: AbortSignal, leave: AbortSignal) => Promise<number>,
): Promise<number> {
  const interrupted = new AbortController();
  const leave = new AbortController();
  const stop = (): void => {
    // The second signal leaves at once.
    if (interrupted.signal.aborted) leave.abort();
    interrupted.abort();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  let outputError: unknown = null;
  // Every further write fails too.
  process.stdout.on("error", (error) => {
    outputError ??= error;
    interrupted.abort();
  });
  try {
    const code = await work(interrupted.signal, leave.signal);
    await written(process.stdout);
    return outputError === null ? code : reportOutputError(outputError);
  } catch (error) {
    if (outputError !== null) return reportOutputError(outputError);
    if (interrupted.signal.aborted) return abortedExitCode;
    const message = failureMessage(error);
    if (message === null) throw error;
    process.stderr.write(`gopi-web: ${message}\n`);
    return 1;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

/** Resolves when all that was written before has been passed on, or has failed. */
const written = (out: NodeJS.WriteStream): Promise<void> => new Promise((resolve) => out.write("", () => resolve()));

/** Whether the reader of the output has gone, as `head` does, which is no failure. */
export const isReaderGone = (error: unknown): boolean => errnoName(error) === "EPIPE";

export const outputErrorText = (error: unknown): string => `the output can't be written (${errnoName(error)})`;

/** Returns the exit code. */
function reportOutputError(error: unknown): number {
  if (isReaderGone(error)) return 0;
  process.stderr.write(`gopi-web: ${outputErrorText(error)}\n`);
  return 1;
}

/** Runs a client that only sends commands to the home's server, which is started if none runs. Otherwise as runInterruptible. */
export const runWithServer = (
  { home, cwd }: { readonly home: string; readonly cwd: string },
  work: (link: CommandLink) => Promise<number>,
): Promise<number> =>
  runInterruptible(async (signal) => {
    const server = await findOrStartServer(home, cwd, signal);
    return work({ call: (name, input) => callServer(server, name, input, signal) });
  });

/** Message of an expected failure; null = a bug. */
function failureMessage(error: unknown): string | null {
  if (error instanceof StartError) return `${error.message}; see ${printable(error.log)}`;
  if (error instanceof LinkLost) return `the connection was lost (${printable(error.message)})`;
  return error instanceof RunFailure ? error.message : null;
}

/** A job that the server runs, and its output. */
interface ServerJob<Run> {
  /** Begins the id of this client. */
  readonly name: string;
  readonly follower: {
    /** Called for every message, also before `begin`. */
    onPush(push: Push): void;
    begin(run: Run): void;
    /** Exit code of the job. Rejects with the reason of `lost`. */
    end(lost: AbortSignal): Promise<number>;
  };
  start(link: SessionLink): Promise<Run>;
  stop(link: SessionLink): Promise<unknown>;
}

/** Starts a job on the home's server and follows it to its end. `signal` stops the job; `leave` exits at once. */
export async function followServerJob<Run>(
  { home, cwd }: { readonly home: string; readonly cwd: string },
  { name, follower, start, stop }: ServerJob<Run>,
  signal: AbortSignal,
  leave: AbortSignal,
): Promise<number> {
  const server = await findOrStartServer(home, cwd, signal);
  const listeners = { onEvents: () => {}, onResync: () => {}, onPush: follower.onPush };
  const link = await openLink(server, randomId<ClientId>(name), listeners, leave);
  try {
    follower.begin(await start(link));
    const onAbort = (): void => void stop(link).catch(() => {});
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    return await follower.end(link.lost);
  } finally {
    link.close();
  }
}

/** The exit code of a job; the first one set counts. */
export function makeExitCode() {
  let code: number | null = null;
  let notify = (_code: number): void => {};
  return {
    isSet: (): boolean => code !== null,
    set(value: number): void {
      code ??= value;
      notify(code);
    },
    /** Resolves with the code. Rejects with the reason of `lost`. */
    wait: (lost: AbortSignal): Promise<number> =>
      new Promise((resolve, reject) => {
        if (code !== null) return resolve(code);
        notify = resolve;
        if (lost.aborted) return reject(lost.reason);
        lost.addEventListener("abort", () => reject(lost.reason), { once: true });
      }),
  };
}

/** Returns the answer's value. Throws RunFailure. */
export async function callOrThrow<N extends CommandName>(
  link: CommandLink,
  name: N,
  input: CommandInput<N>,
): Promise<CommandOutput<N>> {
  const answer = await link.call(name, input);
  if (!answer.ok) throw new RunFailure(cliErrorText(answer.error), answer.error.code);
  return answer.value;
}
