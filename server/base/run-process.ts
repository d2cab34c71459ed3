/**
 * Runs a program in a process group of its own, with limits on time and output. The group is ended as a whole: on an
 * abort, at a limit, or on request.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fail, ok, type Result, thrownText } from "@/lib/events/error";

/** Why a process was ended before it exited by itself. */
export type ProcessEnd = "timeout" | "aborted" | "output_limit" | "user";

export interface ProcessOptions {
  readonly program: string;
  /** Passed as they are; no shell parses them. */
  readonly arguments: readonly string[];
  /** Absolute folder; absent = that of this process. */
  readonly cwd?: string;
  /** The whole environment: nothing is inherited. */
  readonly environment: NodeJS.Dict<string>;
  /** Its standard input; absent = it is empty. */
  readonly input?: string | Uint8Array;
  /** Keeps standard input open for `write`. An end of the process closes it this long before all else, ms. */
  readonly inputGraceMs?: number;
  /** Open file or pipe for both outputs; absent = they go to `onOutput` and `errorOutput`. */
  readonly outputDescriptor?: number;
  /**
   * Gets standard output in chunks of any size; `stop` = no more is needed: it ends as at `maxBytes`. After a promise,
   * which must not reject, nothing is read until it resolves.
   */
  onOutput?(chunk: Buffer): "more" | "stop" | Promise<void>;
  /** Gets the error output in chunks of any size, also beyond what the result has of it. */
  onErrorOutput?(text: string): void;
  /** Limit of standard output; the chunk that exceeds it is not delivered. */
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  /** Time between SIGTERM and SIGKILL, ms; 0 or absent = SIGKILL at once. */
  graceMs?(reason: ProcessEnd): number;
  /** It may outlive this process, which does not wait for it. */
  readonly outlives?: boolean;
}

export interface ProcessResult {
  /** null = ended by a signal. */
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  /** null = it exited by itself. */
  readonly ended: ProcessEnd | null;
  /** Its error output, at most 4,096 characters. */
  readonly errorOutput: string;
}

export interface StartedProcess {
  /** Id of the process and of its group; null = it could not be started. */
  readonly pid: number | null;
  /** Writes to standard input; needs `inputGraceMs`. Without effect after its end. */
  write(chunk: string | Uint8Array): void;
  /** Bytes written to standard input that it has not read yet. */
  unreadBytes(): number;
  /**
   * Ends the group. The first reason counts; a second one may only shorten the grace period, and after an abort none
   * has an effect. Works after the exit too, for processes the program left in its group.
   */
  end(reason: ProcessEnd): void;
  ended(): ProcessEnd | null;
  /** Resolves after the exit, when all output was delivered. Fails with not_found if it could not be started. */
  readonly result: Promise<Result<ProcessResult>>;
}

const maxErrorChars = 4_096;

/** Next's types require NODE_ENV in every environment; a program gets exactly the given variables. */
function assertEnvironment(_variables: NodeJS.Dict<string>): asserts _variables is NodeJS.ProcessEnv {}

/** Sends a signal to a process, or with a negative number to its group; ignores processes that do not exist. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Already ended, or owned by another user (a set-uid program).
  }
}

function pauseUntil(ready: Promise<void>, stream: Readable | null): void {
  stream?.pause();
  void ready.then(() => stream?.resume());
}

function spawnChild(options: ProcessOptions): ChildProcess {
  const { environment, outputDescriptor, inputGraceMs } = options;
  assertEnvironment(environment);
  const output = outputDescriptor ?? "pipe";
  return spawn(options.program, options.arguments, {
    env: environment,
    stdio: [options.input === undefined && inputGraceMs === undefined ? "ignore" : "pipe", output, output],
    detached: true,
    cwd: options.cwd,
  });
}

/** For a program that the system refuses to start by throwing: too long arguments, a loop of interpreters. */
const notStarted = (error: unknown): StartedProcess => ({
  pid: null,
  write() {},
  unreadBytes: () => 0,
  end() {},
  ended: () => null,
  result: Promise.resolve(fail("not_found", thrownText(error))),
});

/** Starts a program; the signal ends it. Never throws. */
export function startProcess(options: ProcessOptions, signal: AbortSignal): StartedProcess {
  let child: ChildProcess;
  try {
    child = spawnChild(options);
  } catch (error) {
    return notStarted(error);
  }
  return followChild(child, options, signal);
}

function followChild(child: ChildProcess, options: ProcessOptions, signal: AbortSignal): StartedProcess {
  const { timeoutMs, inputGraceMs } = options;
  const pid = child.pid ?? null;
  let ended: ProcessEnd | null = null;
  let inputTimer: NodeJS.Timeout | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  let killAt = Number.POSITIVE_INFINITY;
  /** A process that left the group may hold the pipes open: they are closed here. */
  const kill = (): void => {
    killTimer = undefined;
    if (pid !== null) sendSignal(-pid, "SIGKILL");
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const terminate = (reason: ProcessEnd): void => {
    inputTimer = undefined;
    const waitMs = options.graceMs?.(reason) ?? 0;
    if (waitMs > 0 && pid !== null) sendSignal(-pid, "SIGTERM");
    const at = performance.now() + waitMs;
    if (at >= killAt) return;
    killAt = at;
    clearTimeout(killTimer);
    if (waitMs > 0) killTimer = setTimeout(kill, waitMs);
    else kill();
  };
  const end = (reason: ProcessEnd): void => {
    if (pid === null || ended === "aborted" || ended === reason) return;
    const closesInput = inputGraceMs !== undefined && ended === null;
    ended ??= reason;
    clearTimeout(inputTimer);
    if (!closesInput) return terminate(reason);
    child.stdin?.end();
    inputTimer = setTimeout(() => terminate(reason), inputGraceMs);
  };
  const abort = (): void => end("aborted");
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => end("timeout"), timeoutMs);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();

  let bytes = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (ended !== null) return;
    const isOver = bytes > (options.maxBytes ?? Number.POSITIVE_INFINITY);
    const next = isOver ? "stop" : (options.onOutput?.(chunk) ?? "more");
    if (next === "stop") end("output_limit");
    if (typeof next !== "string") pauseUntil(next, child.stdout);
  });
  let errorOutput = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errorOutput = (errorOutput + text).slice(0, maxErrorChars);
    options.onErrorOutput?.(text);
  });
  // It may exit before it has read all input.
  child.stdin?.on("error", () => {});
  if (inputGraceMs === undefined) child.stdin?.end(options.input);
  else if (options.input !== undefined) child.stdin?.write(options.input);
  if (options.outlives === true) child.unref();

  const result = new Promise<Result<ProcessResult>>((resolve) => {
    child.on("error", (error) => resolve(fail("not_found", error.message)));
    child.on("close", (exit, by) => resolve(ok({ exit, signal: by, ended, errorOutput })));
  }).finally(() => {
    clearTimeout(timer);
    clearTimeout(inputTimer);
    clearTimeout(killTimer);
    // The program has exited within its grace period; what it left in its group does not get the rest of it.
    if (inputTimer !== undefined || killTimer !== undefined) kill();
    signal.removeEventListener("abort", abort);
  });
  return { pid, ...inputOf(child.stdin), end, ended: () => ended, result };
}

const inputOf = (stream: Writable | null): Pick<StartedProcess, "write" | "unreadBytes"> => ({
  write: (chunk) => void stream?.write(chunk),
  unreadBytes: () => stream?.writableLength ?? 0,
});

/** Runs a program to its end. Fails with not_found if it cannot be started. */
export const runProcess = (options: ProcessOptions, signal: AbortSignal): Promise<Result<ProcessResult>> =>
  startProcess(options, signal).result;
