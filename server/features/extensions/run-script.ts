/**
 * Starts a script: one line of JSON on its standard input, limits on time and output. Its process group, and what left
 * it, ends with it; a note in the cleanup journal ends it after a crash of this program.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "@/lib/events/content";
import { fail, ok, type Result } from "@/lib/events/error";
import type { Reasoned, ScriptStartReason } from "@/lib/events/error-reasons";
import { type ProcessEnd, type StartedProcess, startProcess } from "@/server/base/run-process";
import type { CleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { endRemainingProcesses, processStartTicks } from "@/server/workspace/shell/process-group";
import type { ScriptRun } from "./definition/read-definition";
import type { ScriptCopy } from "./script-copies";
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
  /** Real path of the extension's folder, for messages. */
  readonly folder: string;
  /** Copy that runs; it is deleted when nothing of the script is left. */
  readonly copy: ScriptCopy;
  /** Absolute working folder. */
  readonly cwd: string;
  readonly environment: { readonly [name: string]: string };
  readonly leftovers: Pick<CleanupJournal, "record">;
}

interface ScriptCall extends ScriptStart {
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

export const startFailure = (problem: Reasoned<ScriptStartReason>) => fail("tool_failed", undefined, problem);

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

/** Starts a script. Fails as `ScriptStartReason` says. The signal ends it. Rejects only if it fires before the start. */
export async function startScript(
  start: ScriptStart,
  streams: ScriptStreams,
  signal: AbortSignal,
): Promise<Result<MarkedScript>> {
  const problem = await findStartProblem(start);
  if (problem !== null || signal.aborted) await start.copy.remove();
  signal.throwIfAborted();
  return problem ?? ok(spawnScript(start, streams, signal));
}

function spawnScript(start: ScriptStart, streams: ScriptStreams, signal: AbortSignal): MarkedScript {
  const { run, copy, cwd, environment, leftovers } = start;
  const marker = randomBytes(12).toString("hex");
  const mark = `${markerVariable}=${marker}`;
  const forget = leftovers.record({ marker: mark });
  const { keepsInput = false, onOutput, ...limits } = streams;
  const process = startProcess(
    {
      program: join(copy.folder, run.file),
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
    const ended = result.ok ? ok({ exit: result.value.exit, signal: result.value.signal }) : await spawnFailure(start);
    await copy.remove();
    return ended;
  };
  return { process, result: finish() };
}

async function findStartProblem({
  run,
  folder,
  copy,
}: ScriptStart): Promise<(Result<never> & { readonly ok: false }) | null> {
  const file = join(folder, run.file);
  const can = (mode: number): Promise<boolean> =>
    access(join(copy.folder, run.file), mode).then(
      () => true,
      () => false,
    );
  if (!(await can(constants.R_OK))) return startFailure({ reason: "missing", file });
  if (!(await can(constants.X_OK)))
    return startFailure({ reason: "not_executable", file, command: executableCommand(file) });
  return null;
}

/** The file can be executed, and yet the system did not find something. */
async function spawnFailure({ run, folder, copy, cwd }: ScriptStart): Promise<ReturnType<typeof startFailure>> {
  const hasFolder = await access(cwd).then(
    () => true,
    () => false,
  );
  if (!hasFolder) return startFailure({ reason: "folder_missing", folder: cwd });
  const interpreter = (await interpreterOf(join(copy.folder, run.file))) ?? "";
  return startFailure({ reason: "no_interpreter", file: join(folder, run.file), interpreter });
}

/** Runs a script to its end. Fails as `ScriptStartReason` says; rejects only if the signal fires before its start. */
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
