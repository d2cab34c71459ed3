/**
 * Starts a script: one line of JSON on its standard input, limits on time and output. Its process group, and what left
 * it, ends with it; a note in the cleanup journal ends it after a crash of this program.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "@/lib/events/content";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import { type ProcessEnd, type StartedProcess, startProcess } from "@/server/base/run-process";
import type { CleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { endRemainingProcesses, processStartTicks } from "@/server/workspace/shell/process-group";
import type { ScriptRun } from "./definition/read-definition";
import { executableCommand, interpreterOf } from "./script-files";

const markerVariable = "GOPI_EXTENSION";
/** Standard output that is read; more ends the script. */
export const scriptOutputBytes = 10_000_000;
/** Time from SIGTERM to SIGKILL, ms; shorter after a stop of the user. */
const graceMs = { aborted: 300, other: 1_000 } as const;
/** Characters of the error output in a failure. */
const errorTailChars = 2_000;

export interface ScriptStart {
  readonly run: ScriptRun;
  /** Real path of the extension's folder. */
  readonly folder: string;
  /** Absolute working folder. */
  readonly cwd: string;
  readonly environment: { readonly [name: string]: string };
  readonly leftovers: Pick<CleanupJournal, "record">;
}

export interface ScriptCall extends ScriptStart {
  readonly input: Json;
  readonly timeoutMs: number;
  /** Gets both outputs as they come. */
  onText?(text: string): void;
}

export interface ScriptResult {
  /** null = ended by a signal. */
  readonly exit: number | null;
  readonly signal: string | null;
  readonly ended: ProcessEnd | null;
  readonly output: Buffer;
  /** The end of its error output; bytes that are not UTF-8 are replaced. */
  readonly errorTail: string;
}

/**
 * What is wrong with a script that did not start: not_executable (command), no_interpreter (interpreter), missing,
 * folder_missing.
 */
export type StartProblem = "not_executable" | "no_interpreter" | "missing" | "folder_missing";

const startFailure = (
  reason: StartProblem,
  facts: AgentError["facts"],
): { readonly ok: false; readonly error: AgentError } => fail("tool_failed", undefined, { reason, ...facts });

/** A process with its mark in the cleanup journal. */
export interface MarkedScript {
  readonly process: StartedProcess;
  /** Resolves when nothing of it is left. */
  readonly result: Promise<Result<{ readonly exit: number | null; readonly signal: string | null }>>;
}

interface ScriptStreams {
  readonly input?: string;
  readonly keepsInput?: boolean;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  onOutput(chunk: Buffer): void;
  onErrorOutput(text: string): void;
}

/** Starts a script. Fails as `StartProblem` says. The signal ends it. */
export async function startScript(
  { run, folder, cwd, environment, leftovers }: ScriptStart,
  streams: ScriptStreams,
  signal: AbortSignal,
): Promise<Result<MarkedScript>> {
  const program = join(folder, run.file);
  const problem = await findStartProblem(program);
  if (problem !== null) return problem;
  signal.throwIfAborted();
  const marker = randomBytes(12).toString("hex");
  const mark = `${markerVariable}=${marker}`;
  const forget = leftovers.record({ marker: mark });
  const { keepsInput = false, onOutput, ...limits } = streams;
  const process = startProcess(
    {
      program,
      arguments: run.arguments,
      cwd,
      environment: { ...environment, [markerVariable]: marker },
      graceMs: (reason) => (reason === "aborted" ? graceMs.aborted : graceMs.other),
      ...(keepsInput ? { inputGraceMs: graceMs.other } : {}),
      ...limits,
      onOutput(chunk) {
        onOutput(chunk);
        return "more";
      },
    },
    signal,
  );
  const group = process.pid ?? 0;
  const startTicks = processStartTicks(group);
  const finish = async (): Promise<Awaited<MarkedScript["result"]>> => {
    const result = await process.result;
    if (group !== 0) await endRemainingProcesses({ group, marker: mark, startTicks }, 0);
    forget();
    if (result.ok) return ok({ exit: result.value.exit, signal: result.value.signal });
    return spawnFailure(program, cwd);
  };
  return ok({ process, result: finish() });
}

async function findStartProblem(program: string): Promise<(Result<never> & { readonly ok: false }) | null> {
  const can = (mode: number): Promise<boolean> =>
    access(program, mode).then(
      () => true,
      () => false,
    );
  if (!(await can(constants.R_OK))) return startFailure("missing", { file: program });
  if (!(await can(constants.X_OK)))
    return startFailure("not_executable", { file: program, command: executableCommand(program) });
  return null;
}

/** The file can be executed, and yet the system did not find something. */
async function spawnFailure(program: string, cwd: string): Promise<Result<never>> {
  const hasFolder = await access(cwd).then(
    () => true,
    () => false,
  );
  if (!hasFolder) return startFailure("folder_missing", { folder: cwd });
  return startFailure("no_interpreter", { file: program, interpreter: (await interpreterOf(program)) ?? "" });
}

/** Runs a script to its end. Fails as `StartProblem` says; rejects only if the signal fires before its start. */
export async function runScript(call: ScriptCall, signal: AbortSignal): Promise<Result<ScriptResult>> {
  const chunks: Buffer[] = [];
  let errorTail = "";
  const started = await startScript(
    call,
    {
      input: `${JSON.stringify(call.input)}\n`,
      timeoutMs: call.timeoutMs,
      maxBytes: scriptOutputBytes,
      onOutput(chunk) {
        chunks.push(chunk);
        call.onText?.(chunk.toString("utf8"));
      },
      onErrorOutput(text) {
        errorTail = (errorTail + text).slice(-errorTailChars);
        call.onText?.(text);
      },
    },
    signal,
  );
  if (!started.ok) return started;
  const result = await started.value.result;
  if (!result.ok) return result;
  const ended = started.value.process.ended();
  return ok({ ...result.value, ended, output: Buffer.concat(chunks), errorTail });
}
