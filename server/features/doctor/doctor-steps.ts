/**
 * The steps of a model test. Each step returns its result and never throws, except on abort; side effects go through
 * DoctorSubject.
 */
import type { AgentError } from "@/lib/events/error";
import type { ToolMode } from "@/lib/events/event";
import { serverLimits } from "@/lib/settings/server-limits";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { doctorText } from "@/server/prompts/doctor";
import {
  attemptTask,
  type DoctorSubject,
  finalErrors,
  type ProbeResult,
  runLimitedTask,
  type StepResult,
  withTimeLimit,
} from "./doctor-subject";
import { longPrompt } from "./long-prompt";

/** Timeout of loading the model, ms. */
const doctorLoadMs = 240_000;
/** Timeout of a short answer, ms. */
const doctorAnswerMs = 90_000;
/** Timeout of the long prompt, ms. */
const doctorWindowMs = 150_000;
/** The long prompt is limited to what the model can read in this time, ms. */
const doctorReadMs = 60_000;

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
    if (seen.error?.code !== "out_of_memory" || seen.state !== "failed" || next < serverLimits.windowMinTokens)
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

const testedToolModes: readonly ToolMode[] = ["native", "react", "xml"];
const triesPerMode = 2;

/** Tries native calls, then calls in text; returns the first mode that works. */
export async function toolsStep(
  subject: DoctorSubject,
  numCtx: number,
  signal: AbortSignal,
  modes = testedToolModes,
): Promise<{ readonly seen: StepResult; readonly mode: ToolMode }> {
  let error: AgentError | undefined;
  let tries = 0;
  for (const mode of modes) {
    for (let attempt = 1; attempt <= triesPerMode; attempt += 1) {
      tries += 1;
      const word = subject.word();
      const task = { files: { "note.txt": `${word}\n` }, text: doctorText("tools", { file: "note.txt" }) };
      const { seen, result } = await runLimitedTask(subject, { mode, numCtx, task }, signal);
      if (result !== undefined && result.succeeded > 0) {
        const state = attempt === 1 ? "ok" : "weak";
        const repaired = result.written.some(({ isText }) => isText);
        return { seen: { state, facts: { mode, tries: attempt, repaired } }, mode };
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
export const editStep = (
  subject: DoctorSubject,
  mode: ToolMode,
  numCtx: number,
  signal: AbortSignal,
): Promise<StepResult> =>
  attemptTask(
    subject,
    { mode, numCtx, triesMax: triesPerMode },
    () => ({
      task: { files: { [editFile]: fileBefore }, text: doctorText("edit", { file: editFile }) },
      judge: (result) => (result?.files[editFile] === fileAfter ? {} : null),
    }),
    signal,
  );

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
  if (error?.code !== "window_full") return null;
  const { tokens, window } = error.facts ?? {};
  if (tokens === undefined || window === undefined) return null;
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
  const prompt = longPrompt([doctorText("fact", { word }), doctorText("question")], maxTokens / ratio);
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
