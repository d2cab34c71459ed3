/**
 * What a model's test does, step by step. Each step ends in what it saw and never throws; what it needs of the world comes in as a
 * DoctorSubject. Called by doctor.
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
  /** 0 = not told */
  readonly promptTokens: number;
  readonly promptMs: number;
  readonly outputTokens: number;
  readonly outputMs: number;
  readonly error?: AgentError;
}

/** How a task ended that the agent did in a scratch folder. */
export interface Acted {
  /** Calls that a tool carried out, and calls in all. */
  readonly done: number;
  readonly calls: number;
  /** A call stood as text in the answer and was read there. */
  readonly repaired: boolean;
  /** What the files are now, by name; null = gone. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly error?: AgentError;
}

export interface Task {
  readonly files: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The model under test. */
export interface DoctorSubject {
  /** tokens; what a new session takes */
  readonly numCtx: number;
  readonly thinks: boolean;
  /** Prompts leave the machine: nothing is loaded here. */
  readonly cloud: boolean;
  /** Tokens its server counts for one of our estimate, learned so far. */
  tokenRatio(): number;
  /** Learned so far; undefined = not yet */
  readPerSecond(): number | undefined;
  /** Loads it and tells what is in memory then. Throws ProviderError, or the signal's reason. null = this server loads by itself. */
  readonly load: ((numCtx: number, signal: AbortSignal) => Promise<LoadedModel | undefined>) | null;
  ask(text: string, options: AskOptions, signal: AbortSignal): Promise<Asked>;
  /** A run of the product's own agent. Rejects with the signal's reason only. */
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

/** `within` ms, then the step has failed with timeout; the caller's own stop is thrown on. */
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

/** What does not fit is tried with half the window, down to the least that is of use. */
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
/** Less is noise, not speed. */
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
    // Thoughts and no answer within the room there was: it works, and will need a limit.
    return asked.thought ? { state: "weak", facts } : { state: "failed", facts, error: { code: "empty_answer" } };
  });

/** Another try, or another way to call tools, would end the same. */
const endings: ReadonlySet<ErrorCode> = new Set([
  "timeout",
  "server_unreachable",
  "out_of_memory",
  "model_missing",
  "key_refused",
]);

const toolModes: readonly ToolMode[] = ["native", "react", "xml"];
const triesPerMode = 2;

/** Native first, then calls in text: the first way that works. */
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
      // It will say so again.
      if (error?.code === "no_tools") break;
    }
  }
  return { seen: { state: "failed", facts: { tries }, ...(error === undefined ? {} : { error }) }, mode: "native" };
}

const editFile = "price.js";
const before =
  "// Prices of the shop, in euros.\nexport const taxRate = 0.19;\n\nexport function gross(net) {\n  return net * (1 + taxRate);\n}\n";
const after = before.replace("0.19", "0.21");

/** The file is what it should be, to the letter. */
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
/** Counts of tokens are estimates; what is read below this was cut. */
const cutShare = 0.7;
const answerTokens = 300;

/** A fact at the start of a prompt that fills most of the window: is it read whole, and remembered? */
export const windowStep = (subject: DoctorSubject, numCtx: number, signal: AbortSignal): Promise<Seen> =>
  limited(limits.doctorWindowMs, signal, async (within) => {
    const speed = subject.readPerSecond() ?? Number.POSITIVE_INFINITY;
    const most = Math.max(leastTokens, (speed * limits.doctorReadMs) / 1000);
    const room = Math.min(numCtx * filledShare, numCtx - answerTokens * 2);
    const first = await askLong(subject, { numCtx, room: Math.min(room, most), ratio: subject.tokenRatio() }, within);
    const counted = countedOf(first.asked.error, numCtx);
    if (counted === null) return first.seen;
    // It counts more tokens than we thought, and takes as many as it should: once more with what fits by its own count.
    const ratio = (subject.tokenRatio() * counted) / first.sent;
    return (await askLong(subject, { numCtx, room: Math.min(room, most), ratio }, within)).seen;
  });

/** The server's own count of a prompt it refused though it has the window it was asked for; null = it did not. */
function countedOf(error: AgentError | undefined, numCtx: number): number | null {
  const { tokens, window } = error?.facts ?? {};
  if (error?.code !== "window_full" || typeof tokens !== "number" || typeof window !== "number") return null;
  return window >= numCtx && tokens > window ? tokens : null;
}

interface LongPrompt {
  readonly numCtx: number;
  /** tokens by the server's count */
  readonly room: number;
  /** Tokens the server counts for one of our estimate. */
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

/** About so many tokens by our estimate: the fact, lines that say nothing, the question. */
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
