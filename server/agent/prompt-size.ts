/**
 * The size of a prompt: what the server counted of this conversation last, and behind it what is new, by script. Without a count
 * (a new session, after a compaction or a change of model) all of it is estimated. Used by request, compactions and the context report.
 */
import type { Json } from "@/lib/content";
import { limits } from "@/lib/settings";
import { answerTokens } from "@/lib/text/answer-tokens";
import {
  addCounts,
  countScripts,
  estimateTokens,
  evenScale,
  noScriptCounts,
  scaledTokens,
  type ScriptCounts,
  type TokenScale,
} from "@/lib/text/estimate-tokens";
import { type MessageEntry, type ModelState, pathBack } from "@/lib/view";
import type { ModelMessage } from "../providers/provider";
import { beside } from "./context/beside";
import { contextEntries, entryMessages, headOf } from "./context/compile";
import { inTextMode } from "./context/text-mode";
import type { AgentHost, StoredPrompt } from "./host";

export interface PromptSize {
  /** Tokens the server counted; 0 = nothing was counted yet. */
  readonly base: number;
  /** What is new behind that, by script; all of the prompt where nothing was counted. */
  readonly counts: ScriptCounts;
  /** Tokens of its images. */
  readonly fixed: number;
  /** Of the whole prompt, in our own estimate. */
  readonly estimate: number;
}

/** As the server would count it by this scale. */
export const tokensOf = ({ base, counts, fixed }: Omit<PromptSize, "estimate">, scale: TokenScale): number =>
  base + whole(scaledTokens(counts, scale) + fixed);

/** Rounded up, but not for the last digits of a sum. */
const whole = (tokens: number): number => Math.ceil(Math.round(tokens * 1e6) / 1e6);

/** Throws when the session has no model, which is a bug of whoever started the run. */
export function modelOf(host: Pick<AgentHost, "view">): ModelState {
  const { model } = host.view();
  if (model === null) throw new Error("a run was started without a model");
  return model;
}

/** Messages as this model takes them: its calls may have to stand in its text. */
export const toldTo = (model: ModelState, messages: readonly ModelMessage[]): readonly ModelMessage[] =>
  model.toolMode === "native" ? messages : inTextMode(messages, model.toolMode);

export function promptSize(host: AgentHost, messages: readonly ModelMessage[], grown: Grown | null): PromptSize {
  const all = addSizes(messages.map(sizeOf));
  const tools = toolCounts(host);
  const estimate = whole(scaledTokens(addCounts(all.counts, tools), even) + all.fixed);
  if (grown === null) return { base: 0, counts: addCounts(all.counts, tools), fixed: all.fixed, estimate };
  return { base: grown.base, ...addSizes(grown.since.map(sizeOf)), estimate };
}

/** What the server counted last of this conversation with the answer it gave, and the messages since, as they are told. */
export interface Grown {
  readonly base: number;
  readonly since: readonly ModelMessage[];
}

/** A count that is less of our estimate is not of the whole prompt. */
const countedShare = 0.5;

/** null = nothing was counted since the conversation began, was compacted, or went over to this model. */
export function grownSince(host: AgentHost): Grown | null {
  const view = host.view();
  const { entries, cut } = contextEntries(view);
  const counted = entries.findLast((entry) => entry.usage !== undefined && isWhole(entry.usage));
  if (counted?.usage === undefined || counted.seq < (headOf(view)?.seq ?? 0) || !isOfModel(host, counted)) return null;
  const [, ...results] = entryMessages(counted, host, cut);
  const later = entries.filter((entry) => entry.seq > counted.seq);
  const since = [...results, ...later.flatMap((entry) => entryMessages(entry, host, cut))];
  const base = counted.usage.promptTokens + answerTokens(counted.blocks, counted.usage);
  return { base, since: toldTo(modelOf(host), since) };
}

const isWhole = ({ promptTokens, estimatedPromptTokens }: NonNullable<MessageEntry["usage"]>): boolean =>
  promptTokens > 0 && promptTokens >= estimatedPromptTokens * countedShare;

/** The run that got this answer began with the model of now. */
function isOfModel(host: AgentHost, { seq }: MessageEntry): boolean {
  for (const entry of pathBack(host.view()))
    if (entry.kind === "run_start" && entry.seq < seq)
      return entry.model === undefined || entry.model === modelOf(host).model;
  return true;
}

interface Size {
  readonly counts: ScriptCounts;
  readonly fixed: number;
}

/** In place: a long conversation has thousands of messages. */
function addSizes(sizes: readonly Size[]): Size {
  const counts = [...noScriptCounts];
  let fixed = 0;
  for (const size of sizes) {
    fixed += size.fixed;
    for (const [index, tokens] of size.counts.entries()) counts[index] = (counts[index] ?? 0) + tokens;
  }
  return { counts, fixed };
}

const even = evenScale(1);

/** Tokens of messages: in our estimate, or as the server would count them. An image counts as what Ollama counts it (field D27). */
export function countTokens(messages: readonly ModelMessage[], scale: TokenScale = even): number {
  const { counts, fixed } = addSizes(messages.map(sizeOf));
  return whole(scaledTokens(counts, scale) + fixed);
}

/** A message that was counted once is the same object in the next request. */
const sizeOf = beside((message: ModelMessage): Size => {
  const images = "images" in message ? (message.images?.length ?? 0) : 0;
  const texts = [message.text, ...(message.role === "assistant" ? callTexts(message) : [])];
  const counts = texts.map(wholeCounts).reduce(addCounts, noScriptCounts);
  return { counts: plusWords(counts, limits.messageOverheadTokens), fixed: images * limits.imageTokens };
});

const callTexts = ({ thinking, calls }: Extract<ModelMessage, { role: "assistant" }>): readonly string[] => [
  thinking ?? "",
  calls === undefined ? "" : JSON.stringify(calls.map(callAsSent)),
];

/** Each text is at least its whole tokens. */
function wholeCounts(text: string): ScriptCounts {
  const counts = countScripts(text);
  return plusWords(counts, estimateTokens(text) - scaledTokens(counts, even));
}

const plusWords = (counts: ScriptCounts, tokens: number): ScriptCounts =>
  counts.map((count, index) => (index === 0 ? count + tokens : count));

/** `raw` is told in the text or not at all. */
const callAsSent = ({
  callId,
  name,
  input,
}: {
  readonly callId: string;
  readonly name: string;
  readonly input: Json;
}) => ({
  callId,
  name,
  input,
});

/** Of the tool list that goes beside the messages; in text modes it is part of the system text. */
export const toolTokens = (host: AgentHost, scale: TokenScale = even): number =>
  whole(scaledTokens(toolCounts(host), scale));

const toolCounts = (host: AgentHost): ScriptCounts =>
  modelOf(host).toolMode === "native" ? countsOfTools(host.prompt()) : noScriptCounts;

const countsOfTools = beside(({ tools }: StoredPrompt): ScriptCounts => wholeCounts(JSON.stringify(tools)));
