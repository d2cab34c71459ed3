/**
 * The steps of a model test. Each step returns its result and never throws, except on abort; side effects go through
 * DoctorSubject.
 */
import type { AgentError, ErrorCode } from "@/lib/error";
import type { ToolMode } from "@/lib/event";
import type { DoctorStep, LoadedModel } from "@/lib/models";
import { limits } from "@/lib/settings";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { doctorText } from "@/server/prompts/doctor";
import { ProviderError } from "@/server/providers/provider";

/** One answer to one message. */
export interface Asked {
  readonly text: string;
  readonly thought: boolean;
  /** 0 = not reported */
  readonly promptTokens: number;
  readonly promptMs: number;
  readonly outputTokens: number;
  readonly outputMs: number;
  readonly error?: AgentError;
}

/** Result of a task the agent ran in a scratch folder. */
export interface Acted {
  /** Successful tool calls, and all calls. */
  readonly done: number;
  readonly calls: number;
  /** A call was parsed from the answer text. */
  readonly repaired: boolean;
  /** File contents afterwards, by name; null = deleted. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly error?: AgentError;
}

export interface Task {
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
  ask(text: string, options: AskOptions, signal: AbortSignal): Promise<Asked>;
  /** Runs a task with the product's own agent. Rejects with the signal's reason only. */
  act(mode: ToolMode, numCtx: number, task: Task, signal: AbortSignal): Promise<Acted>;
  /** A word that is in no prompt yet. */
  word(): string;
}

export interface AskOptions {
  readonly numCtx: number;
  readonly think: boolean;
  readonly maxOutputTokens: number;
}

export type Seen = Omit<DoctorStep, "step" | "ms"> & { readonly state: "ok" | "weak" | "failed" | "skipped" };

/** Fails the step with timeout after `withinMs`; an abort of `signal` is rethrown. */
async function limited(
  withinMs: number,
  signal: AbortSignal,
  step: (signal: AbortSignal) => Promise<Seen>,
): Promise<Seen> {
  const limit = AbortSignal.timeout(withinMs);
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
): Promise<{ readonly seen: Seen; readonly numCtx: number }> {
  const { load } = subject;
  if (load === null || subject.cloud) return { seen: { state: "skipped" }, numCtx: subject.numCtx };
  let numCtx = subject.numCtx;
  let refused: AgentError | undefined;
  for (;;) {
    const seen = await limited(limits.doctorLoadMs, signal, async (within) => {
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
        ...(refused === undefined ? {} : { error: refused }),
      };
    });
    const next = Math.floor(numCtx / 2);
    if (seen.error?.code !== "out_of_memory" || seen.state !== "failed" || next < limits.windowMinTokens)
      return { seen, numCtx };
    refused = seen.error;
    numCtx = next;
  }
}

const perSecond = (tokens: number, ms: number): number => (ms > 0 ? Math.round((tokens * 10_000) / ms) / 10 : 0);
/** Fewer tokens give no reliable speed. */
const measurableTokens = 10;

export const answerStep = (subject: DoctorSubject, numCtx: number, signal: AbortSignal): Promise<Seen> =>
  limited(limits.doctorAnswerMs, signal, async (within) => {
    const options = { numCtx, think: subject.thinks, maxOutputTokens: 600 };
    const asked = await subject.ask(doctorText("answer"), options, within);
    if (asked.error !== undefined) return { state: "failed", error: asked.error };
    const writes = asked.outputTokens >= measurableTokens ? perSecond(asked.outputTokens, asked.outputMs) : 0;
    const facts = {
      tokens: asked.outputTokens,
      thinks: asked.thought,
      ...(writes > 0 ? { writePerSecond: writes } : {}),
    };
    if (asked.text.trim() !== "") return { state: "ok", facts };
    // Thinking but no answer within the token limit: the model works, but needs a larger limit.
    return asked.thought ? { state: "weak", facts } : { state: "failed", facts, error: { code: "empty_answer" } };
  });

/** Errors after which a retry, or another tool mode, would fail the same way. */
const endings: ReadonlySet<ErrorCode> = new Set([
  "timeout",
  "server_unreachable",
  "out_of_memory",
  "model_missing",
  "key_refused",
]);

const toolModes: readonly ToolMode[] = ["native", "react", "xml"];
const triesPerMode = 2;

/** Tries native calls, then calls in text; returns the first mode that works. */
export async function toolsStep(
  subject: DoctorSubject,
  numCtx: number,
  signal: AbortSignal,
): Promise<{ readonly seen: Seen; readonly mode: ToolMode }> {
  let error: AgentError | undefined;
  let tries = 0;
  for (const mode of toolModes) {
    for (let attempt = 1; attempt <= triesPerMode; attempt += 1) {
      tries += 1;
      const word = subject.word();
      const task = { files: { "note.txt": `${word}\n` }, text: doctorText("tools", { file: "note.txt" }) };
      const { seen, acted } = await acting(subject, { mode, numCtx, task }, signal);
      if (acted !== undefined && acted.done > 0) {
        const state = attempt === 1 ? "ok" : "weak";
        return { seen: { state, facts: { mode, tries: attempt, repaired: acted.repaired } }, mode };
      }
      error = seen.error ?? acted?.error ?? error;
      if (error !== undefined && endings.has(error.code))
        return { seen: { state: "failed", facts: { tries }, error }, mode };
      // A retry in this mode would fail the same way.
      if (error?.code === "no_tools") break;
    }
  }
  return { seen: { state: "failed", facts: { tries }, ...(error === undefined ? {} : { error }) }, mode: "native" };
}

const editFile = "price.js";
const before =
  "// Prices of the shop, in euros.\nexport const taxRate = 0.19;\n\nexport function gross(net) {\n  return net * (1 + taxRate);\n}\n";
const after = before.replace("0.19", "0.21");

/** The file must match exactly. */
export async function editStep(
  subject: DoctorSubject,
  mode: ToolMode,
  numCtx: number,
  signal: AbortSignal,
): Promise<Seen> {
  let error: AgentError | undefined;
  for (let tries = 1; tries <= triesPerMode; tries += 1) {
    const task = { files: { [editFile]: before }, text: doctorText("edit", { file: editFile }) };
    const { seen, acted } = await acting(subject, { mode, numCtx, task }, signal);
    if (acted?.files[editFile] === after) return { state: tries === 1 ? "ok" : "weak", facts: { tries } };
    error = seen.error ?? acted?.error ?? error;
    if (error !== undefined && endings.has(error.code)) return { state: "failed", facts: { tries }, error };
  }
  return { state: "failed", facts: { tries: triesPerMode }, ...(error === undefined ? {} : { error }) };
}

interface Acting {
  readonly mode: ToolMode;
  readonly numCtx: number;
  readonly task: Task;
}

async function acting(
  subject: DoctorSubject,
  { mode, numCtx, task }: Acting,
  signal: AbortSignal,
): Promise<{ readonly seen: Seen; readonly acted?: Acted }> {
  let acted: Acted | undefined;
  const seen = await limited(limits.doctorTryMs, signal, async (within) => {
    acted = await subject.act(mode, numCtx, task, within);
    return { state: "ok" };
  });
  return { seen, ...(acted === undefined ? {} : { acted }) };
}

const filledShare = 0.75;
const leastTokens = 1_000;
/** Token counts are estimates; below this share of the sent tokens the prompt was cut. */
const cutShare = 0.7;
const answerTokens = 300;

/** Checks whether a fact at the start of a prompt that fills most of the window is read and recalled. */
export const windowStep = (subject: DoctorSubject, numCtx: number, signal: AbortSignal): Promise<Seen> =>
  limited(limits.doctorWindowMs, signal, async (within) => {
    const speed = subject.readPerSecond() ?? Number.POSITIVE_INFINITY;
    const most = Math.max(leastTokens, (speed * limits.doctorReadMs) / 1000);
    const room = Math.min(numCtx * filledShare, numCtx - answerTokens * 2);
    const first = await askLong(subject, { numCtx, room: Math.min(room, most), ratio: subject.tokenRatio() }, within);
    const counted = countedOf(first.asked.error, numCtx);
    if (counted === null) return first.seen;
    // The server counts more tokens than estimated: retry with a prompt that fits by its own count.
    const ratio = (subject.tokenRatio() * counted) / first.sent;
    return (await askLong(subject, { numCtx, room: Math.min(room, most), ratio }, within)).seen;
  });

/** The server's own token count of a refused prompt, if its window is as requested; null otherwise. */
function countedOf(error: AgentError | undefined, numCtx: number): number | null {
  const { tokens, window } = error?.facts ?? {};
  if (error?.code !== "window_full" || typeof tokens !== "number" || typeof window !== "number") return null;
  return window >= numCtx && tokens > window ? tokens : null;
}

interface LongPrompt {
  readonly numCtx: number;
  /** tokens by the server's count */
  readonly room: number;
  /** Server tokens per estimated token. */
  readonly ratio: number;
}

async function askLong(
  subject: DoctorSubject,
  { numCtx, room, ratio }: LongPrompt,
  signal: AbortSignal,
): Promise<{ readonly asked: Asked; readonly sent: number; readonly seen: Seen }> {
  const word = subject.word();
  const prompt = longPrompt(word, room / ratio);
  const sent = Math.round(estimateTokens(prompt) * ratio);
  const asked = await subject.ask(prompt, { numCtx, think: false, maxOutputTokens: answerTokens }, signal);
  const reads = asked.promptTokens >= leastTokens / 2 ? perSecond(asked.promptTokens, asked.promptMs) : 0;
  const facts = {
    numCtx,
    sent,
    ...(asked.promptTokens > 0 ? { read: asked.promptTokens } : {}),
    ...(reads > 0 ? { readPerSecond: reads } : {}),
  };
  const isCut = asked.promptTokens > 0 && asked.promptTokens < sent * cutShare;
  const cut = { code: "prompt_cut", facts: { sent, read: asked.promptTokens } } as const;
  const error = asked.error ?? (isCut ? cut : undefined);
  if (error !== undefined) return { asked, sent, seen: { state: "failed", facts, error } };
  const isHeld = asked.text.toLowerCase().includes(word.toLowerCase());
  return { asked, sent, seen: { state: isHeld ? "ok" : "failed", facts } };
}

const words = {
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
      colour: at(words.colour, index),
      shelf: at(words.shelf, index),
      things: at(words.things, index),
      place: at(words.place, index),
    });
    left -= estimateTokens(`${line}\n`);
    lines.push(line);
  }
  return [ends[0], ...lines, ends[1]].join("\n");
}

const at = (list: readonly string[], index: number): string => list[index % list.length] ?? "";
