/**
 * The steps of a model test. Each step returns its result and never throws, except on abort; side effects go through
 * DoctorSubject.
 */
import type { AgentError, ErrorCode } from "@/lib/events/error";
import type { ToolMode } from "@/lib/events/event";
import type { DoctorStep, LoadedModel } from "@/lib/models/models";
import { limits } from "@/lib/settings/settings";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { timeLimit } from "@/server/base/abort";
import { doctorText } from "@/server/prompts/doctor";
import { ProviderError } from "@/server/providers/provider";

/** Timeout of loading the model, ms. */
const doctorLoadMs = 240_000;
/** Timeout of a short answer, ms. */
const doctorAnswerMs = 90_000;
/** Timeout of a tool call, ms. */
const doctorTryMs = 90_000;
/** Timeout of the long prompt, ms. */
const doctorWindowMs = 150_000;
/** The long prompt is limited to what the model can read in this time, ms. */
const doctorReadMs = 60_000;

/** One answer to one message. */
export interface ProbeResult {
  readonly text: string;
  readonly hasThinking: boolean;
  /** 0 = not reported */
  readonly promptTokens: number;
  readonly promptMs: number;
  readonly outputTokens: number;
  readonly outputMs: number;
  readonly error?: AgentError;
}

/** Result of a task the agent ran in a scratch folder. */
export interface TaskResult {
  /** Successful tool calls, and all calls. */
  readonly succeeded: number;
  readonly calls: number;
  /** A call was parsed from the answer text. */
  readonly repaired: boolean;
  /** File contents afterwards, by name; null = deleted. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly error?: AgentError;
}

export interface DoctorTask {
  readonly files: Readonly<Record<string, string>>;
  readonly text: string;
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
  /** A word that is in no prompt yet. */
  word(): string;
}

interface ProbeOptions {
  readonly numCtx: number;
  readonly think: boolean;
  readonly maxOutputTokens: number;
}

export type StepResult = Omit<DoctorStep, "step" | "ms"> & { readonly state: "ok" | "weak" | "failed" | "skipped" };

/** Fails the step with timeout after `withinMs`; an abort of `signal` is rethrown. */
async function withTimeLimit(
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

/** Loads the model; retries with half the window while memory runs out, down to the minimum. */
export async function loadStep(
  subject: DoctorSubject,
  signal: AbortSignal,
): Promise<{ readonly seen: StepResult; readonly numCtx: number }> {
  const { load } = subject;
  if (load === null || subject.cloud) return { seen: { state: "skipped" }, numCtx: subject.numCtx };
  let numCtx = subject.numCtx;
  let refused: AgentError | undefined;
  for (;;) {
    const seen = await withTimeLimit(doctorLoadMs, signal, async (within) => {
      const loaded = await load(numCtx, within);
      const { vramShare, contextLength } = loaded ?? {};
      const facts = {
        numCtx,
        ...(vramShare === undefined ? {} : { vramShare }),
        ...(contextLength === undefined ? {} : { allocated: contextLength }),
      };
      return {
        state: refused === undefined ? "ok" : "weak",
        facts,
        error: refused,
      };
    });
    const next = Math.floor(numCtx / 2);
    if (seen.error?.code !== "out_of_memory" || seen.state !== "failed" || next < limits.windowMinTokens)
      return { seen, numCtx };
    refused = seen.error;
    numCtx = next;
  }
}

const tokensPerSecond = (tokens: number, ms: number): number => (ms > 0 ? Math.round((tokens * 10_000) / ms) / 10 : 0);
/** Fewer tokens give no reliable speed. */
const measurableTokens = 10;

export const answerStep = (subject: DoctorSubject, numCtx: number, signal: AbortSignal): Promise<StepResult> =>
  withTimeLimit(doctorAnswerMs, signal, async (within) => {
    const options = { numCtx, think: subject.thinks, maxOutputTokens: 600 };
    const result = await subject.probe(doctorText("answer"), options, within);
    if (result.error !== undefined) return { state: "failed", error: result.error };
    const writes = result.outputTokens >= measurableTokens ? tokensPerSecond(result.outputTokens, result.outputMs) : 0;
    const facts = {
      tokens: result.outputTokens,
      thinks: result.hasThinking,
      ...(writes > 0 ? { writePerSecond: writes } : {}),
    };
    if (result.text.trim() !== "") return { state: "ok", facts };
    // Thinking but no answer within the token limit: the model works, but needs a larger limit.
    return result.hasThinking ? { state: "weak", facts } : { state: "failed", facts, error: { code: "empty_answer" } };
  });

/** Errors after which a retry, or another tool mode, would fail the same way. */
const finalErrors: ReadonlySet<ErrorCode> = new Set([
  "timeout",
  "server_unreachable",
  "out_of_memory",
  "model_missing",
  "key_refused",
]);

const testedToolModes: readonly ToolMode[] = ["native", "react", "xml"];
const triesPerMode = 2;

/** Tries native calls, then calls in text; returns the first mode that works. */
export async function toolsStep(
  subject: DoctorSubject,
  numCtx: number,
  signal: AbortSignal,
): Promise<{ readonly seen: StepResult; readonly mode: ToolMode }> {
  let error: AgentError | undefined;
  let tries = 0;
  for (const mode of testedToolModes) {
    for (let attempt = 1; attempt <= triesPerMode; attempt += 1) {
      tries += 1;
      const word = subject.word();
      const task = { files: { "note.txt": `${word}\n` }, text: doctorText("tools", { file: "note.txt" }) };
      const { seen, result } = await runLimitedTask(subject, { mode, numCtx, task }, signal);
      if (result !== undefined && result.succeeded > 0) {
        const state = attempt === 1 ? "ok" : "weak";
        return { seen: { state, facts: { mode, tries: attempt, repaired: result.repaired } }, mode };
      }
      error = seen.error ?? result?.error ?? error;
      if (error !== undefined && finalErrors.has(error.code))
        return { seen: { state: "failed", facts: { tries }, error }, mode };
      // A retry in this mode would fail the same way.
      if (error?.code === "no_tools") break;
    }
  }
  return { seen: { state: "failed", facts: { tries }, error }, mode: "native" };
}

const editFile = "price.js";
const fileBefore =
  "// Prices of the shop, in euros.\nexport const taxRate = 0.19;\n\nexport function gross(net) {\n  return net * (1 + taxRate);\n}\n";
const fileAfter = fileBefore.replace("0.19", "0.21");

/** The file must match exactly. */
export async function editStep(
  subject: DoctorSubject,
  mode: ToolMode,
  numCtx: number,
  signal: AbortSignal,
): Promise<StepResult> {
  let error: AgentError | undefined;
  for (let tries = 1; tries <= triesPerMode; tries += 1) {
    const task = { files: { [editFile]: fileBefore }, text: doctorText("edit", { file: editFile }) };
    const { seen, result } = await runLimitedTask(subject, { mode, numCtx, task }, signal);
    if (result?.files[editFile] === fileAfter) return { state: tries === 1 ? "ok" : "weak", facts: { tries } };
    error = seen.error ?? result?.error ?? error;
    if (error !== undefined && finalErrors.has(error.code)) return { state: "failed", facts: { tries }, error };
  }
  return { state: "failed", facts: { tries: triesPerMode }, error };
}

interface TaskRun {
  readonly mode: ToolMode;
  readonly numCtx: number;
  readonly task: DoctorTask;
}

async function runLimitedTask(
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

const filledShare = 0.75;
const minPromptTokens = 1_000;
/** Token counts are estimates; below this share of the sent tokens the prompt was cut. */
const cutShare = 0.7;
const maxAnswerTokens = 300;

/** Checks whether a fact at the start of a prompt that fills most of the window is read and recalled. */
export const windowStep = (subject: DoctorSubject, numCtx: number, signal: AbortSignal): Promise<StepResult> =>
  withTimeLimit(doctorWindowMs, signal, async (within) => {
    const speed = subject.readPerSecond() ?? Number.POSITIVE_INFINITY;
    const most = Math.max(minPromptTokens, (speed * doctorReadMs) / 1000);
    const promptTokens = Math.min(numCtx * filledShare, numCtx - maxAnswerTokens * 2);
    const first = await probeLongPrompt(
      subject,
      { numCtx, maxTokens: Math.min(promptTokens, most), ratio: subject.tokenRatio() },
      within,
    );
    const counted = refusedPromptTokens(first.result.error, numCtx);
    if (counted === null) return first.seen;
    // The server counts more tokens than estimated: retry with a prompt that fits by its own count.
    const ratio = (subject.tokenRatio() * counted) / first.sent;
    return (await probeLongPrompt(subject, { numCtx, maxTokens: Math.min(promptTokens, most), ratio }, within)).seen;
  });

/** The server's own token count of a refused prompt, if its window is as requested; null otherwise. */
function refusedPromptTokens(error: AgentError | undefined, numCtx: number): number | null {
  const { tokens, window } = error?.facts ?? {};
  if (error?.code !== "window_full" || typeof tokens !== "number" || typeof window !== "number") return null;
  return window >= numCtx && tokens > window ? tokens : null;
}

interface LongPrompt {
  readonly numCtx: number;
  /** tokens by the server's count */
  readonly maxTokens: number;
  /** Server tokens per estimated token. */
  readonly ratio: number;
}

async function probeLongPrompt(
  subject: DoctorSubject,
  { numCtx, maxTokens, ratio }: LongPrompt,
  signal: AbortSignal,
): Promise<{ readonly result: ProbeResult; readonly sent: number; readonly seen: StepResult }> {
  const word = subject.word();
  const prompt = longPrompt(word, maxTokens / ratio);
  const sent = Math.round(estimateTokens(prompt) * ratio);
  const result = await subject.probe(prompt, { numCtx, think: false, maxOutputTokens: maxAnswerTokens }, signal);
  const reads = result.promptTokens >= minPromptTokens / 2 ? tokensPerSecond(result.promptTokens, result.promptMs) : 0;
  const facts = {
    numCtx,
    sent,
    ...(result.promptTokens > 0 ? { read: result.promptTokens } : {}),
    ...(reads > 0 ? { readPerSecond: reads } : {}),
  };
  const isCut = result.promptTokens > 0 && result.promptTokens < sent * cutShare;
  const cut = { code: "prompt_cut", facts: { sent, read: result.promptTokens } } as const;
  const error = result.error ?? (isCut ? cut : undefined);
  if (error !== undefined) return { result, sent, seen: { state: "failed", facts, error } };
  const isHeld = result.text.toLowerCase().includes(word.toLowerCase());
  return { result, sent, seen: { state: isHeld ? "ok" : "failed", facts } };
}

const fillerWords = {
  colour: ["red", "green", "blue", "yellow", "white", "black", "grey"],
  shelf: ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"],
  things: ["screws", "lamps", "cables", "brushes", "candles", "ropes", "hinges", "buckets", "tiles"],
  place: ["workshop", "kitchen", "garden", "office", "harbour", "school", "library", "cellar"],
};

/** Prompt of about `tokens` estimated tokens: the fact, filler lines, the question. */
function longPrompt(word: string, tokens: number): string {
  const ends = [doctorText("fact", { word }), doctorText("question")] as const;
  const lines: string[] = [];
  let left = tokens - ends.reduce((sum, text) => sum + estimateTokens(text), 0);
  for (let index = 0; left > 0; index += 1) {
    const line = doctorText("filler", {
      colour: cycle(fillerWords.colour, index),
      shelf: cycle(fillerWords.shelf, index),
      things: cycle(fillerWords.things, index),
      place: cycle(fillerWords.place, index),
    });
    left -= estimateTokens(`${line}\n`);
    lines.push(line);
  }
  return [ends[0], ...lines, ends[1]].join("\n");
}

const cycle = (list: readonly string[], index: number): string => list[index % list.length] ?? "";
