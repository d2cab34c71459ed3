/** The model under test, as the steps of a test see it; the time limits of a step and of a task. */
import type { AgentError, ErrorCode } from "@/lib/events/error";
import type { Json } from "@/lib/events/content";
import type { ToolMode } from "@/lib/events/event";
import type { DoctorStep, LoadedModel } from "@/lib/models/models";
import type { ToolSchema } from "@/lib/models/stored-prompt";
import { timeLimit } from "@/server/base/abort";
import { type ModelMessage, ProviderError, type ServerReading } from "@/server/providers/provider";
import type { Catalogue } from "@/server/tools/toolbox/catalogue";

/** Timeout of a task with tool calls, ms. */
const doctorTryMs = 90_000;

/** One answer to one message. */
export interface ProbeResult {
  readonly text: string;
  readonly hasThinking: boolean;
  /** 0 = not reported */
  readonly promptTokens: number;
  readonly promptMs: number;
  readonly outputTokens: number;
  readonly outputMs: number;
  /** The server's own figures about reading the prompt. */
  readonly reading: ServerReading;
  readonly error?: AgentError;
}

/** Result of a task the agent ran in a scratch folder. */
export interface TaskResult {
  /** Successful tool calls, and all calls. */
  readonly succeeded: number;
  readonly calls: number;
  readonly written: readonly WrittenCall[];
  /** File contents afterwards, by name; null = deleted. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly error?: AgentError;
}

/** A call as the model wrote it. */
export interface WrittenCall {
  readonly name: string;
  readonly input: Json;
  /** It was parsed from the answer text. */
  readonly isText: boolean;
}

export interface DoctorTask {
  readonly files: Readonly<Record<string, string>>;
  readonly text: string;
  /** Tools of the toolbox, whose calls are approved; absent = none. */
  readonly catalogue?: Catalogue;
}

/** The model under test. */
export interface DoctorSubject {
  /** tokens; window of a new session */
  readonly numCtx: number;
  readonly thinks: boolean;
  /** Prompts leave the machine: nothing is loaded here. */
  readonly cloud: boolean;
  /** Server tokens per estimated token, as measured so far. */
  tokenRatio(): number;
  /** Measured so far; undefined = not yet */
  readPerSecond(): number | undefined;
  /**
   * Loads the model and returns its state in memory. Throws ProviderError, or the signal's reason. null = the server
   * loads by itself.
   */
  readonly load: ((numCtx: number, signal: AbortSignal) => Promise<LoadedModel | undefined>) | null;
  probe(text: string, options: ProbeOptions, signal: AbortSignal): Promise<ProbeResult>;
  /** Runs a task with the product's own agent. Rejects with the signal's reason only. */
  runTask(mode: ToolMode, numCtx: number, task: DoctorTask, signal: AbortSignal): Promise<TaskResult>;
  /** The tools of a new session, as a native request has them. */
  tools(numCtx: number): readonly ToolSchema[];
  /** A word that is in no prompt yet. */
  word(): string;
}

interface ProbeOptions {
  /** The conversation so far; absent = the text is its first message. */
  readonly before?: readonly ModelMessage[];
  /** Native tools of the request; absent = none. */
  readonly tools?: readonly ToolSchema[];
  readonly numCtx: number;
  readonly think: boolean;
  readonly maxOutputTokens: number;
}

export type StepResult = Omit<DoctorStep, "step" | "ms"> & { readonly state: "ok" | "weak" | "failed" | "skipped" };

/** Fails the step with timeout after `withinMs`; an abort of `signal` is rethrown. */
export async function withTimeLimit(
  withinMs: number,
  signal: AbortSignal,
  step: (signal: AbortSignal) => Promise<StepResult>,
): Promise<StepResult> {
  const limit = timeLimit(withinMs);
  try {
    return await step(AbortSignal.any([signal, limit]));
  } catch (cause) {
    signal.throwIfAborted();
    if (limit.aborted) return { state: "failed", error: { code: "timeout", facts: { ms: withinMs } } };
    if (cause instanceof ProviderError) return { state: "failed", error: cause.error };
    throw cause;
  }
}

/** Errors after which a retry, or another tool mode, would fail the same way. */
export const finalErrors: ReadonlySet<ErrorCode> = new Set([
  "timeout",
  "server_unreachable",
  "out_of_memory",
  "model_missing",
  "key_refused",
]);

interface TaskRun {
  readonly mode: ToolMode;
  readonly numCtx: number;
  readonly task: DoctorTask;
}

interface Attempt {
  readonly task: DoctorTask;
  /** Facts of a success, also of a task that ended with an error; null = it failed. */
  judge(result: TaskResult | undefined): DoctorStep["facts"] | null;
}

/** Returns the first attempt that succeeds, else the last error. Ends with an error that a retry would repeat. */
export async function attemptTask(
  subject: DoctorSubject,
  { mode, numCtx, triesMax }: Omit<TaskRun, "task"> & { readonly triesMax: number },
  makeAttempt: () => Attempt,
  signal: AbortSignal,
): Promise<StepResult> {
  let error: AgentError | undefined;
  for (let tries = 1; tries <= triesMax; tries += 1) {
    const { task, judge } = makeAttempt();
    const { seen, result } = await runLimitedTask(subject, { mode, numCtx, task }, signal);
    const facts = judge(result);
    if (facts !== null) return { state: tries === 1 ? "ok" : "weak", facts: { tries, ...facts } };
    error = seen.error ?? result?.error ?? error;
    if (error !== undefined && finalErrors.has(error.code)) return { state: "failed", facts: { tries }, error };
  }
  return { state: "failed", facts: { tries: triesMax }, error };
}

export async function runLimitedTask(
  subject: DoctorSubject,
  { mode, numCtx, task }: TaskRun,
  signal: AbortSignal,
): Promise<{ readonly seen: StepResult; readonly result?: TaskResult }> {
  let result: TaskResult | undefined;
  const seen = await withTimeLimit(doctorTryMs, signal, async (within) => {
    result = await subject.runTask(mode, numCtx, task, within);
    return { state: "ok" };
  });
  return { seen, result };
}
