/**
 * Size of a prompt: the server's last count of this conversation plus the new content by script. Without a count (new
 * session, after a compaction or a model change) the whole prompt is estimated.
 */
import type { Json } from "@/lib/events/content";
import { serverLimits } from "@/lib/settings/server-limits";
import { countAnswerTokens } from "@/lib/text/answer-tokens";
import {
  addCounts,
  countScripts,
  estimateTokens,
  uniformScale,
  zeroScriptCounts,
  scaledTokens,
  type ScriptCounts,
  type TokenScale,
} from "@/lib/text/estimate-tokens";
import { isRunOf } from "@/lib/view/newest-run";
import { type MessageEntry, type ModelState, pathEntriesBackward } from "@/lib/view/view";
import type { ModelMessage } from "@/server/providers/provider";
import { weakMemo } from "@/server/base/weak-memo";
import { contextEntries, entryMessages, cachedHeadInForce } from "./compile";
import { omissibleReasoning, selectReasoning } from "./sent-reasoning";
import { convertDecidedCalls, convertToTextMode } from "./text-mode";
import type { AgentHost } from "../host";
import type { StoredPrompt } from "@/lib/models/stored-prompt";

export interface PromptSize {
  /** Tokens counted by the server; 0 = no count yet. */
  readonly countedTokens: number;
  /** Estimated content after that by script; the whole prompt if there is no count. */
  readonly counts: ScriptCounts;
  /** Tokens of the images. */
  readonly fixed: number;
  /** The whole prompt in estimated tokens, without the reasoning that a chat template may leave out. */
  readonly estimate: number;
  /** Estimated tokens of that reasoning. */
  readonly omissible: number;
  /** Estimated tokens of all its images: a server may count far fewer, or more. */
  readonly imageTokens: number;
}

/** Tokens as the server would count them with this scale. */
export const promptTokens = (
  { countedTokens, counts, fixed }: Pick<PromptSize, "countedTokens" | "counts" | "fixed">,
  scale: TokenScale,
): number => countedTokens + roundUp(scaledTokens(counts, scale) + fixed);

/** Rounds up, ignoring floating-point noise. */
const roundUp = (tokens: number): number => Math.ceil(Math.round(tokens * 1e6) / 1e6);

/** Throws if the session has no model, which is a bug of the caller. */
export function requireRunModel(host: Pick<AgentHost, "view">): ModelState {
  const { model } = host.view();
  if (model === null) throw new Error("a run was started without a model");
  return model;
}

/** Returns the messages as this model takes them: with the reasoning of its server, and calls as text in the text tool modes. */
export function renderForMode(model: ModelState, messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const selected = selectReasoning(model, messages);
  return model.toolMode === "native" ? convertDecidedCalls(selected) : convertToTextMode(selected, model.toolMode);
}

export function measurePrompt(
  host: AgentHost,
  messages: readonly ModelMessage[],
  grown: CountedPrefix | null,
): PromptSize {
  const all = sumSizes(messages.map(measureMessage));
  const tools = countTools(host);
  const omissible = requireRunModel(host).reasoning === "preserve" ? 0 : countOmissible(messages);
  const whole = {
    estimate: roundUp(scaledTokens(addCounts(all.counts, tools), evenScaleOne) + all.fixed) - omissible,
    omissible,
    imageTokens: all.fixed,
  };
  if (grown === null) return { countedTokens: 0, counts: addCounts(all.counts, tools), fixed: all.fixed, ...whole };
  return { countedTokens: grown.countedTokens, ...sumSizes(grown.since.map(measureMessage)), ...whole };
}

/** The server's last count of this conversation including its answer, and the messages since, rendered for the mode. */
export interface CountedPrefix {
  readonly countedTokens: number;
  readonly since: readonly ModelMessage[];
}

/** A count below this share of the estimate does not cover the whole prompt. */
const countedShare = 0.5;

/** Returns null if nothing was counted since the conversation began, was compacted, or changed its model. */
export function findCountedPrefix(host: AgentHost): CountedPrefix | null {
  const view = host.view();
  const { entries, cut } = contextEntries(view);
  // The thinking of an answer that was asked for again is in its count, and is not sent.
  const counted = entries.findLast(
    ({ replaced, usage }) => replaced !== true && usage !== undefined && coversWholePrompt(usage),
  );
  if (
    counted?.usage === undefined ||
    counted.seq < (cachedHeadInForce(view)?.seq ?? 0) ||
    !isFromCurrentModel(host, counted)
  )
    return null;
  const own = entryMessages(counted, host, cut);
  const later = entries.filter((entry) => entry.seq > counted.seq);
  // With the answer, which may contain the text of a decided call.
  const messages = [...own, ...later.flatMap((entry) => entryMessages(entry, host, cut))];
  const answerTokens = own.length === 0 ? 0 : countAnswerTokens(counted.blocks, counted.usage);
  const base = counted.usage.promptTokens + answerTokens;
  const since = renderForMode(requireRunModel(host), messages).slice(Math.min(1, own.length));
  return { countedTokens: base, since };
}

const coversWholePrompt = ({ promptTokens, estimatedPromptTokens }: NonNullable<MessageEntry["usage"]>): boolean =>
  promptTokens > 0 && promptTokens >= estimatedPromptTokens * countedShare;

/** Whether the run of this answer started with the current model. */
function isFromCurrentModel(host: AgentHost, { seq }: MessageEntry): boolean {
  for (const entry of pathEntriesBackward(host.view()))
    if (entry.kind === "run_start" && entry.seq < seq) return isRunOf(entry, requireRunModel(host));
  return true;
}

interface MessageSize {
  readonly counts: ScriptCounts;
  readonly fixed: number;
}

/** Sums in place: a long conversation has thousands of messages. */
function sumSizes(sizes: readonly MessageSize[]): MessageSize {
  const counts = [...zeroScriptCounts];
  let fixed = 0;
  for (const size of sizes) {
    fixed += size.fixed;
    for (const [index, tokens] of size.counts.entries()) counts[index] = (counts[index] ?? 0) + tokens;
  }
  return { counts, fixed };
}

const evenScaleOne = uniformScale(1);

/**
 * Tokens of messages: estimated, or as the server would count them with `scale`. An image has the size that Ollama
 * counts.
 */
export function countTokens(messages: readonly ModelMessage[], scale: TokenScale = evenScaleOne): number {
  const { counts, fixed } = sumSizes(messages.map(measureMessage));
  return roundUp(scaledTokens(counts, scale) + fixed);
}

/** Memoized per message: the next request contains the same objects. */
const measureMessage = weakMemo((message: ModelMessage): MessageSize => {
  const images = "images" in message ? (message.images?.length ?? 0) : 0;
  const texts = [message.text, ...(message.role === "assistant" ? callTextsForCount(message) : [])];
  const counts = texts.map(countWholeTokens).reduce(addCounts, zeroScriptCounts);
  return { counts: addTokens(counts, serverLimits.messageOverheadTokens), fixed: images * serverLimits.imageTokens };
});

const countOmissible = (messages: readonly ModelMessage[]): number =>
  omissibleReasoning(messages).reduce((sum, text) => sum + estimateTokens(text), 0);

const callTextsForCount = ({ reasoning, calls }: Extract<ModelMessage, { role: "assistant" }>): readonly string[] => [
  reasoning?.text ?? "",
  calls === undefined ? "" : JSON.stringify(calls.map(toSentCall)),
];

/** Rounds the estimate of each text up to whole tokens. */
function countWholeTokens(text: string): ScriptCounts {
  const counts = countScripts(text);
  return addTokens(counts, estimateTokens(text) - scaledTokens(counts, evenScaleOne));
}

const addTokens = (counts: ScriptCounts, tokens: number): ScriptCounts =>
  counts.map((count, index) => (index === 0 ? count + tokens : count));

/** `raw` is rendered in the text or not at all. */
const toSentCall = ({
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
export const countToolTokens = (host: AgentHost, scale: TokenScale = evenScaleOne): number =>
  roundUp(scaledTokens(countTools(host), scale));

const countTools = (host: AgentHost): ScriptCounts =>
  requireRunModel(host).toolMode === "native" ? countStoredTools(host.prompt()) : zeroScriptCounts;

const countStoredTools = weakMemo(({ tools }: StoredPrompt): ScriptCounts => countWholeTokens(JSON.stringify(tools)));
