/**
 * Size of a prompt: the server's last count of this conversation plus the new content by script. Without a count (new
 * session, after a compaction or a model change) the whole prompt is estimated.
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
  /** Tokens counted by the server; 0 = no count yet. */
  readonly base: number;
  /** Estimated content after that by script; the whole prompt if there is no count. */
  readonly counts: ScriptCounts;
  /** Tokens of the images. */
  readonly fixed: number;
  /** The whole prompt in estimated tokens. */
  readonly estimate: number;
}

/** Tokens as the server would count them with this scale. */
export const tokensOf = ({ base, counts, fixed }: Omit<PromptSize, "estimate">, scale: TokenScale): number =>
  base + whole(scaledTokens(counts, scale) + fixed);

/** Rounds up, ignoring floating-point noise. */
const whole = (tokens: number): number => Math.ceil(Math.round(tokens * 1e6) / 1e6);

/** Throws if the session has no model, which is a bug of the caller. */
export function modelOf(host: Pick<AgentHost, "view">): ModelState {
  const { model } = host.view();
  if (model === null) throw new Error("a run was started without a model");
  return model;
}

/** Returns the messages as this model takes them: calls as text in the text tool modes. */
export const toldTo = (model: ModelState, messages: readonly ModelMessage[]): readonly ModelMessage[] =>
  model.toolMode === "native" ? messages : inTextMode(messages, model.toolMode);

export function promptSize(host: AgentHost, messages: readonly ModelMessage[], grown: Grown | null): PromptSize {
  const all = addSizes(messages.map(sizeOf));
  const tools = toolCounts(host);
  const estimate = whole(scaledTokens(addCounts(all.counts, tools), even) + all.fixed);
  if (grown === null) return { base: 0, counts: addCounts(all.counts, tools), fixed: all.fixed, estimate };
  return { base: grown.base, ...addSizes(grown.since.map(sizeOf)), estimate };
}

/** The server's last count of this conversation including its answer, and the messages since, rendered for the mode. */
export interface Grown {
  readonly base: number;
  readonly since: readonly ModelMessage[];
}

/** A count below this share of the estimate does not cover the whole prompt. */
const countedShare = 0.5;

/** Returns null if nothing was counted since the conversation began, was compacted, or changed its model. */
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

/** Whether the run of this answer started with the current model. */
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

/** Sums in place: a long conversation has thousands of messages. */
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

/**
 * Tokens of messages: estimated, or as the server would count them with `scale`. An image has the size that Ollama
 * counts (field D27).
 */
export function countTokens(messages: readonly ModelMessage[], scale: TokenScale = even): number {
  const { counts, fixed } = addSizes(messages.map(sizeOf));
  return whole(scaledTokens(counts, scale) + fixed);
}

/** Memoized per message: the next request contains the same objects. */
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

/** Rounds the estimate of each text up to whole tokens. */
function wholeCounts(text: string): ScriptCounts {
  const counts = countScripts(text);
  return plusWords(counts, estimateTokens(text) - scaledTokens(counts, even));
}

const plusWords = (counts: ScriptCounts, tokens: number): ScriptCounts =>
  counts.map((count, index) => (index === 0 ? count + tokens : count));

/** `raw` is rendered in the text or not at all. */
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

/** Tokens of the native tool list; in the text modes it is part of the system text. */
export const toolTokens = (host: AgentHost, scale: TokenScale = even): number =>
  whole(scaledTokens(toolCounts(host), scale));

const toolCounts = (host: AgentHost): ScriptCounts =>
  modelOf(host).toolMode === "native" ? countsOfTools(host.prompt()) : noScriptCounts;

const countsOfTools = beside(({ tools }: StoredPrompt): ScriptCounts => wholeCounts(JSON.stringify(tools)));
