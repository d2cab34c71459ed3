/**
 * One logical bash per session: every call is a fresh process; cwd and exported variables
 * persist.
 */
import { randomBytes } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { realpath, rmdir, stat } from "node:fs/promises";
import type { Socket } from "node:net";
import { basename, join } from "node:path";
import { thrownText } from "@/lib/events/error";
import { serverLimits } from "@/lib/settings/server-limits";
import { createAnsiStripper } from "@/lib/text/ansi";
import type { StyleSpan } from "@/lib/text/ansi-styles";
import { makeMutex } from "@/server/base/concurrency";
import { type ProcessEnd, type StartedProcess, startProcess } from "@/server/base/run-process";
import { beginTimeSlice } from "@/server/base/steps";
import { pathWithoutProject } from "@/server/security/environment/shell-environment";
import { type CleanupJournal, noCleanupJournal } from "./cleanup-journal";
import { type ShellProcess, endRemainingProcesses, processStartTicks } from "./process-group";
import { makePrivateTemporaryFolder } from "./private-temporary-folder";
import { makeShellPipes, type ShellPipes } from "./shell-pipes";
import type { Sandbox, SandboxWrapper } from "./sandbox";
import {
  affectsBash,
  commandVariable,
  limitedWrapperProgram,
  markerVariable,
  parseShellState,
  type ShellState,
  stateVariable,
  wrapperProgram,
} from "./shell-state";
import type { Shell, ShellOutput, ShellResult } from "../workspace";

/** Time between SIGTERM and SIGKILL after a timeout, ms. */
const bashKillMs = 2_000;
/** The same after Stop, which must complete within a second, ms. */
const bashAbortKillMs = 300;
/** After bash exits: idle time of its pipe before background children are terminated, ms. */
const bashDrainMs = 60;
/** Maximum of that time, ms. */
const bashDrainMaxMs = 250;
/** Time between SIGTERM and SIGKILL for background children, ms. */
const bashLeftoverMs = 200;
/** An incomplete output line is shown after this long without new data, ms. */
const bashQuietMs = 200;

interface ShellOptions {
  /** Real path of the project: the fallback if the shell's folder was deleted. */
  readonly root: string;
  /** Initial folder; default: the root. */
  readonly cwd?: string;
  /** Returns the scrubbed environment (security/environment/shell-environment); called for every command. */
  readonly environment: () => { readonly [name: string]: string };
  /** Journal of running commands; default: none. */
  readonly cleanup?: Pick<CleanupJournal, "record">;
  /** Returns the sandbox for a command, null = none; called for every command. */
  readonly sandbox?: Sandbox["fence"];
  /** Aborted when the shell is not used any more; required for the temporary folder of its sandbox to be kept. */
  readonly closing?: AbortSignal;
}

type RunOptions = Parameters<Shell["run"]>[1];

/** Creates a shell; starts nothing until the first call. */
export function makeShell(options: ShellOptions): Shell {
  const mutex = makeMutex();
  const { cleanup = noCleanupJournal, closing } = options;
  const temporaryFolder = closing && makePrivateTemporaryFolder(cleanup, closing);
  let state: ShellState = { cwd: options.cwd ?? options.root, variables: {} };

  async function runNext(command: string, run: RunOptions, signal: AbortSignal): Promise<ShellResult> {
    const startedAt = performance.now();
    const folder = await resolveFolder(state.cwd);
    const start = folder ?? (await resolveFolder(options.root));
    const cwdLost = folder === null && start !== null;
    const environment = Object.fromEntries(
      Object.entries(options.environment()).filter(([name]) => !affectsBash(name)),
    );
    const all = { ...environment, ...state.variables };
    const variables = run.readsOnly === true ? { ...all, PATH: pathWithoutProject(options.root, all.PATH) } : all;
    const fence = (await options.sandbox?.(run.sandboxedCall)) ?? null;
    const end: BashCallResult =
      start === null
        ? failedCall(`${options.root} is gone`)
        : await runWithPipes(
            { command, cwd: start, root: options.root, sandbox: fence, temporaryFolder, variables, cleanup, ...run },
            signal,
          );
    const saved = parseShellState(end.written, environment);
    state = saved ?? { ...state, cwd: start ?? state.cwd };
    // The background processes of a sandbox end with it.
    const killed = fence === null ? end.killed : Math.max(end.killed, saved?.jobs ?? 0);
    return {
      exit: end.exit,
      signal: end.signal,
      killed,
      ended: end.ended ?? undefined,
      ...(end.detail === null ? {} : { error: "no_shell", detail: end.detail }),
      ...(cwdLost ? { cwdLost } : {}),
      ...(fence === null || end.detail !== null ? {} : { sandboxed: { network: fence.network } }),
      ...(end.styles.length === 0 ? {} : { styles: end.styles }),
      cwd: state.cwd,
      tookMs: Math.round(performance.now() - startedAt),
      ...(run.isLimited === true ? { limited: true } : {}),
    };
  }

  return {
    get cwd() {
      return state.cwd;
    },
    async run(command, run, signal) {
      try {
        return await mutex.hold("shell", () => runNext(command, run, signal), signal);
      } catch (error) {
        // Only waiting for the previous call can have thrown: nothing has run.
        if (!signal.aborted) throw error;
        return { exit: null, signal: null, ended: "aborted", killed: 0, cwd: state.cwd, tookMs: 0 };
      }
    },
  };
}

async function resolveFolder(path: string): Promise<string | null> {
  try {
    return (await stat(path)).isDirectory() ? await realpath(path) : null;
  } catch {
    return null;
  }
}

interface BashCall extends RunOptions {
  readonly command: string;
  readonly cwd: string;
  readonly root: string;
  readonly sandbox: SandboxWrapper | null;
  /** Returns the temporary folder of the sandbox; absent = each command has its own. */
  readonly temporaryFolder?: () => Promise<string>;
  readonly variables: { readonly [name: string]: string };
  readonly cleanup: Pick<CleanupJournal, "record">;
}

interface MarkedBashCall extends BashCall {
  readonly temporary?: string;
  /** Value in the environment of all its processes. */
  readonly marker: string;
}

interface BashCallResult {
  readonly exit: number | null;
  readonly signal: string | null;
  readonly ended: ProcessEnd | null;
  readonly killed: number;
  /** The shell's state output. */
  readonly written: Buffer;
  readonly styles: readonly StyleSpan[];
  /** The reason if nothing ran; otherwise null. */
  readonly detail: string | null;
}

const failedCall = (detail: string): BashCallResult => ({
  exit: null,
  signal: null,
  ended: null,
  killed: 0,
  written: Buffer.alloc(0),
  styles: [],
  detail,
});

async function runWithPipes(call: BashCall, signal: AbortSignal): Promise<BashCallResult> {
  let pipes: ShellPipes;
  try {
    pipes = await makeShellPipes(pathWithoutProject(call.root, call.variables.PATH));
  } catch (error) {
    return failedCall(thrownText(error));
  }
  const marker = randomBytes(12).toString("hex");
  const forget = call.cleanup.record({ marker: `${markerVariable}=${marker}`, folder: pipes.folder });
  try {
    const temporary = call.sandbox === null ? undefined : await call.temporaryFolder?.();
    const result = await runBash({ ...call, marker, temporary }, pipes, signal);
    // The sandbox leaves an empty folder there, on which it mounted the pipes.
    if (temporary !== undefined) await rmdir(join(temporary, basename(pipes.folder))).catch(() => {});
    return result;
  } catch (error) {
    return failedCall(thrownText(error));
  } finally {
    await pipes.dispose();
    forget();
  }
}

async function runBash(call: MarkedBashCall, pipes: ShellPipes, signal: AbortSignal): Promise<BashCallResult> {
  if (signal.aborted) return { ...failedCall(""), ended: "aborted", detail: null };
  const bash = startBash(call, pipes, signal);
  if (bash.pid === null) {
    const failed = await bash.result;
    return failedCall(failed.ok ? "bash did not start" : (failed.error.detail ?? ""));
  }
  const group: ShellProcess = {
    group: bash.pid,
    marker: `${markerVariable}=${call.marker}`,
    startTicks: processStartTicks(bash.pid),
  };
  const endByUser = (): void => bash.end("user");
  call.kill?.addEventListener("abort", endByUser, { once: true });
  if (call.kill?.aborted === true) endByUser();
  const output = readOutput(pipes.output, call.onOutput, () => bash.end("output_limit"));
  const takeState = collectBytes(pipes.state);
  pipes.releaseOutput();

  const exited = await bash.result;
  call.kill?.removeEventListener("abort", endByUser);
  if (bash.ended() !== "output_limit") await output.quiet();
  const killed = await endRemainingProcesses(group, bash.ended() === null ? bashLeftoverMs : 0);
  await output.quiet();
  output.close();
  pipes.releaseState();
  return {
    exit: exited.ok ? exited.value.exit : null,
    signal: exited.ok ? exited.value.signal : null,
    ended: bash.ended(),
    killed,
    written: await takeState(),
    styles: output.styles,
    detail: null,
  };
}

/** Ended by SIGTERM, then SIGKILL after a grace period; at the output limit by SIGKILL at once. */
function startBash(call: MarkedBashCall, pipes: ShellPipes, signal: AbortSignal): StartedProcess {
  const environment = {
    ...call.variables,
    PWD: call.cwd,
    [markerVariable]: call.marker,
    [commandVariable]: call.command,
    [stateVariable]: pipes.statePath,
  };
  const path = pathWithoutProject(call.root, call.variables.PATH);
  const program = call.isLimited === true ? limitedWrapperProgram : wrapperProgram;
  const bash = [findInPath(path, "bash"), "--noprofile", "--norc", "-c", program, "bash"];
  const place = { root: call.root, cwd: call.cwd, pipes: pipes.folder, temporary: call.temporary };
  const [file = "", ...words] = call.sandbox?.(bash, place) ?? bash;
  return startProcess(
    {
      program: file,
      arguments: words,
      cwd: call.cwd,
      environment,
      outputDescriptor: pipes.outputDescriptor,
      timeoutMs: call.timeoutMs,
      graceMs: (end) => graceMs[end],
    },
    signal,
  );
}

const graceMs: Readonly<Record<ProcessEnd, number>> = {
  timeout: bashKillMs,
  aborted: bashAbortKillMs,
  user: bashAbortKillMs,
  output_limit: 0,
};

/** Returns the path of a program. The shell itself never comes from the project, whatever PATH its command has. */
function findInPath(path: string, name: string): string {
  const found = path.split(":").find((folder) => {
    try {
      accessSync(`${folder}/${name}`, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  return found === undefined ? name : `${found}/${name}`;
}

/** Decodes output, strips control sequences, enforces the size limit and detects silence. */
function readOutput(output: Socket, onOutput: ShellOutput, onLimit: () => void) {
  const decoder = new TextDecoder();
  const stripper = createAnsiStripper();
  let bytes = 0;
  let lastByteAt = performance.now();
  const turn = beginTimeSlice();
  let quietTimer: NodeJS.Timeout | undefined;
  const emit = (text: string): void => {
    if (text !== "") onOutput(text);
  };
  output.on("data", (chunk: Buffer) => {
    lastByteAt = performance.now();
    const remaining = serverLimits.bashSpillBytes - bytes;
    bytes += chunk.length;
    emit(stripper.push(decoder.decode(chunk.subarray(0, Math.max(0, remaining)), { stream: true })));
    clearTimeout(quietTimer);
    quietTimer = setTimeout(() => emit(stripper.flush()), bashQuietMs);
    // The system gives up to 2 MB at once.
    if (turn.isOver()) {
      output.pause();
      void turn.next().then(() => output.resume());
    }
    if (bytes <= serverLimits.bashSpillBytes) return;
    // Processes that still write get SIGPIPE, and no further output is buffered.
    output.destroy();
    onLimit();
  });
  return {
    styles: stripper.styles,
    /**
     * Resolves at the pipe's end or after a period without output; bounded, because a background child may write
     * forever.
     */
    async quiet(): Promise<void> {
      const deadline = performance.now() + bashDrainMaxMs;
      lastByteAt = performance.now();
      for (;;) {
        const waitMs = Math.min(lastByteAt + bashDrainMs, deadline) - performance.now();
        if (output.closed || waitMs <= 0) return;
        await waitForClose(output, waitMs);
      }
    },
    close() {
      clearTimeout(quietTimer);
      output.destroy();
      emit(stripper.push(decoder.decode()) + stripper.end());
    },
  };
}

/** Resolves when the socket closes, or after `waitMs`. */
async function waitForClose(socket: Socket, waitMs: number): Promise<void> {
  if (socket.closed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, waitMs);
    function done(): void {
      clearTimeout(timer);
      socket.off("close", done);
      resolve();
    }
    socket.on("close", done);
  });
}

const maxStateBytes = serverLimits.bashVariablesBytes * 4;

/**
 * Collects data from now on; the returned function resolves with all of it after the last writer has closed. Returns
 * an empty buffer if it is too large.
 */
function collectBytes(socket: Socket): () => Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxStateBytes) chunks.push(chunk);
  });
  return async () => {
    await waitForClose(socket, bashDrainMaxMs);
    return bytes <= maxStateBytes ? Buffer.concat(chunks) : Buffer.alloc(0);
  };
}
