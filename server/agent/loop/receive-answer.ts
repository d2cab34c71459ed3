/** Streams one model answer into one message: commits deltas as they arrive and message_end with the complete value. */
import type { Block, UnrunCall, Usage } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import type { MessageId } from "@/lib/events/id";
import type { AgentError } from "@/lib/events/error";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { processEnds } from "@/server/base/abort";
import type { ModelPart, ModelRequest } from "@/server/providers/provider";
import { makeRepeatGuard, makeTokenCounter, type TextRepetition } from "../guards/stream-guards";
import type { AgentHost } from "../host";
import { closeMessages } from "./close-run";
import type { DisplayedPiece } from "./live-blocks";
import { hasOnlyThinking } from "../context/compile";
import { makeLateCloser } from "./late-closer";
import { makeOpenMessage, type OpenMessage } from "./open-message";
import { requireRunModel, type PromptSize } from "../context/prompt-size";

/** Why this side stopped an answer. */
type AnswerStop = AgentError<"think_limit" | "answer_now" | "repeated_text">;

/** `usage` is null if the server reported none. */
export type AnswerEnd =
  /** `onlyThinks`: it is empty, but was thought about. */
  | { readonly kind: "done"; readonly empty: boolean; readonly onlyThinks: boolean; readonly usage: Usage | null }
  | { readonly kind: "length"; readonly usage: Usage | null }
  | { readonly kind: "cut"; readonly messageId: MessageId; readonly error: AnswerStop }
  | {
      readonly kind: "failed";
      readonly messageId: MessageId;
      readonly error: AgentError;
      readonly retryable: boolean;
      readonly retryAfterMs?: number;
      readonly refusedSchema?: string;
    }
  | { readonly kind: "aborted" }
  /** The server does not hold the answer any more; its message is still open. */
  | { readonly kind: "lost" };

interface StreamingAnswer {
  readonly host: AgentHost;
  readonly messageId: MessageId;
  readonly message: OpenMessage;
  /** The request offers tools natively. */
  readonly offersTools: boolean;
  readonly size: PromptSize;
  /** Milliseconds from the request to the first piece of the answer; null = none received yet. */
  firstTokenMs: number | null;
}

/**
 * Requires a committed message_start. Commits message_end, unless the answer is lost, or `signal` fired before its first part or
 * because the process ends: then closing the run ends the message.
 */
export async function receiveAnswer(
  host: AgentHost,
  messageId: MessageId,
  request: ModelRequest,
  size: PromptSize,
  signal: AbortSignal,
): Promise<AnswerEnd> {
  const offersTools = request.tools.length > 0;
  const message = makeOpenMessage(host, messageId, offersTools, request.held?.isRequested);
  const answer: StreamingAnswer = { host, messageId, message, offersTools, size, firstTokenMs: null };
  const askedAt = host.now();
  const thinkMax = thinkingLimit(host.settings().thinkMaxTokens, request);
  const guard = makeAnswerGuard(thinkMax);
  const late = makeLateCloser(request.think === false ? undefined : host.modelFacts().lateSplit);
  const own = new AbortController();
  const both = AbortSignal.any([signal, own.signal]);
  let wanted: AnswerStop | null = null;
  const stopAnswer = (stop: AnswerStop): void => {
    wanted = stop;
    own.abort();
  };
  /** null = the server cannot end thinking, or was asked to. */
  let endThinking: ((signal: AbortSignal) => Promise<boolean>) | null = null;
  /** Why the server was asked to. */
  let ending: AnswerStop | null = null;
  let isEnding = false;
  /** Lets the answer go on without thinking; stops it where its server cannot do that. */
  const answerNow = async (stop: AnswerStop): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    ending = stop;
    const ended = endThinking?.(both) ?? false;
    endThinking = null;
    guard.allowThinking(lastThinkingTokens);
    const goesOn = await ended;
    isEnding = false;
    if (!goesOn && !message.live.answers) stopAnswer(stop);
  };
  const stopListening = host.onAnswerNow(() => {
    if (message.live.answers || (request.think === false && !message.live.thinks)) return false;
    void answerNow({ code: "answer_now", facts: { in: "thinking" } });
    return true;
  });
  let last: ModelPart | null = null;
  let cut: AnswerStop | null = null;
  try {
    for await (const part of host.stream(request, both)) {
      if (both.aborted) break;
      if (part.type === "control") endThinking = part.endThinking;
      if (part.type === "control") continue;
      last = part;
      if (part.type === "finish" || part.type === "failed") break;
      if (part.type !== "phase") answer.firstTokenMs ??= Math.max(0, host.now() - askedAt);
      cut = guard.check(late.take(part).flatMap(message.take));
      if (cut?.code === "think_limit" && endThinking !== null) {
        void answerNow(cut);
        cut = null;
      } else if (cut?.code === "think_limit") cut = ending ?? cut;
      if (cut === null && !message.finished) continue;
      own.abort();
      break;
    }
    if (cut === null && !message.finished) cut = guard.check(late.end().flatMap(message.take));
    if (last?.type === "failed" && last.unparsed !== undefined) message.recover(last.unparsed);
  } finally {
    stopListening();
    message.close();
  }
  if (signal.aborted) return endAbortedAnswer(answer, signal, host.now() - askedAt);
  if (request.held?.isRequested === true) {
    if (answer.firstTokenMs === null && isLost(last)) return { kind: "lost" };
    // An earlier process sent the request.
    answer.firstTokenMs = null;
  }
  cut ??= wanted;
  if (cut === null && last?.type === "failed" && last.error.code === "incomplete") cut = guard.atEnd();
  if (cut === null && last?.type === "finish" && last.stop === "length" && message.live.thinks && !message.live.answers)
    cut = thinkLimit(last.usage.outputTokens, thinkMax || request.maxOutputTokens);
  return cut === null ? endAnswer(answer, last) : endStoppedAnswer(answer, cut, last);
}

/** Whether the server does not hold the answer, of which nothing has arrived: one that it could not parse is held. */
const isLost = (last: ModelPart | null): boolean => last?.type === "failed" && last.error.code !== "unparsed_answer";

const thinkLimit = (tokens: number, limit: number): AnswerStop => ({
  code: "think_limit",
  facts: { in: "thinking", tokens, limit },
});

/** An answer needs room after the thinking; 0 = unlimited. */
const thinkingLimit = (thinkMaxTokens: number, { maxOutputTokens }: ModelRequest): number =>
  Math.min(thinkMaxTokens, Math.floor(maxOutputTokens / 2));

/** Thinking that may still arrive after its end was requested. */
const lastThinkingTokens = 256;

interface AnswerGuard {
  /** Limits thinking to `tokens` more. */
  allowThinking(tokens: number): void;
  check(shown: readonly DisplayedPiece[]): AnswerStop | null;
  /** Checks a stream that ended without a finish part: Ollama aborts after about 30 equal tokens. */
  atEnd(): AnswerStop | null;
}

/**
 * Creates the guard of one answer: limits thinking to `thinkMaxTokens` (0 = unlimited) and detects repeated text.
 * null = no violation so far.
 */
function makeAnswerGuard(thinkMaxTokens: number): AnswerGuard {
  const repeats = {
    thinking: makeRepeatGuard({ isProse: true }),
    text: makeRepeatGuard({ isProse: true }),
    input: makeRepeatGuard({ isProse: false }),
  };
  const thinking = makeTokenCounter();
  let limit = thinkMaxTokens;
  const check = ({ kind, text }: DisplayedPiece): AnswerStop | null => {
    if (kind !== "thinking") return repeatStop(repeats[kind].push(text), "text");
    thinking.push(text);
    const { tokens } = thinking;
    if (limit > 0 && tokens > limit) return thinkLimit(tokens, thinkMaxTokens);
    return repeatStop(repeats.thinking.push(text), "thinking");
  };
  let last: DisplayedPiece["kind"] = "text";
  return {
    allowThinking(tokens) {
      limit = thinking.tokens + tokens;
    },
    check(shown) {
      for (const piece of shown) {
        last = piece.kind;
        const cut = check(piece);
        if (cut !== null) return cut;
      }
      return null;
    },
    atEnd: () => repeatStop(repeats[last].atEnd(), last === "thinking" ? "thinking" : "text"),
  };
}

/** Maximum length of the repeated unit as logged, UTF-16 units. */
const loggedUnitMaxChars = 120;

const repeatStop = (repeat: TextRepetition | null, source: "text" | "thinking"): AnswerStop | null =>
  repeat === null
    ? null
    : {
        code: "repeated_text",
        facts: { in: source, unit: repeat.unit.trim().slice(0, loggedUnitMaxChars), times: repeat.times },
      };

const completeUsage = (
  { size, firstTokenMs }: StreamingAnswer,
  reported: Extract<ModelPart, { type: "finish" }>["usage"],
): Usage => ({
  ...reported,
  estimatedPromptTokens: size.estimate,
  ...(firstTokenMs === null ? {} : { firstTokenMs }),
});

function endAnswer(answer: StreamingAnswer, last: ModelPart | null): AnswerEnd {
  const { host, messageId, message, size } = answer;
  if (last?.type === "failed" && !message.finished) {
    const { type: _type, ...failure } = last;
    return endFailedAnswer(answer, failure);
  }
  if (last?.type !== "finish" && !message.finished)
    // A stream that ends without finish or failed is a provider bug or a closed connection: an error either way.
    return endFailedAnswer(answer, { error: { code: "incomplete" }, retryable: true });
  const { stop, usage: reported } = last?.type === "finish" ? last : { stop: "done" as const, usage: unknownUsage };
  const blocks = message.blocks(stop === "done");
  const usage = completeUsage(answer, reported);
  const lost = last?.type === "finish" && stop === "done" ? detectLostCall(answer, last, blocks) : null;
  if (lost !== null) {
    host.commit([{ type: "message_end", messageId, blocks, stop: "error", usage }]);
    return { kind: "failed", messageId, error: lost, retryable: false };
  }
  if (last?.type === "finish" && stop === "done") learnLateSplit(answer);
  const unrun = stop === "done" ? findUnrunCalls(answer, blocks) : [];
  host.commit([{ type: "message_end", messageId, blocks, stop, usage, ...(unrun.length === 0 ? {} : { unrun }) }]);
  if (usage.promptTokens > 0) host.learnUsage(usage, size);
  return stop === "length"
    ? { kind: "length", usage }
    : { kind: "done", empty: hasNoContent(blocks), onlyThinks: hasOnlyThinking(blocks), usage };
}

/**
 * Detects a lost call: the model produced many more tokens than were streamed and no call arrived, so the server
 * started to parse a call that was never closed.
 */
function detectLostCall(
  { offersTools }: StreamingAnswer,
  { unseenTokens }: Extract<ModelPart, { type: "finish" }>,
  blocks: readonly Block[],
): AgentError | null {
  if (!offersTools || unseenTokens === undefined || blocks.some((block) => block.type === "call")) return null;
  return { code: "lost_call", facts: { tokens: unseenTokens } };
}

/** Learns from a whole answer what of the thinking arrives as text, and that an answer begins without thinking after all. */
function learnLateSplit({ host, message }: StreamingAnswer): void {
  const split = message.lateSplit();
  const isOver =
    split === null &&
    host.modelFacts().lateSplit === "all" &&
    requireRunModel(host).think !== false &&
    !message.live.thinks &&
    message.live.answers;
  if (split !== null || isOver) host.learnLateSplit(split);
}

/** Returns none for a subagent, whose answer goes to the session that started it. */
const findUnrunCalls = ({ host, message }: StreamingAnswer, blocks: readonly Block[]): readonly UnrunCall[] =>
  host.view().parent?.relation === "subagent" || blocks.some((block) => block.type === "call") ? [] : message.unrun();

const hasNoContent = (blocks: readonly Block[]): boolean =>
  !blocks.some((block) => block.type === "call" || block.type === "text");

/** Usage without server counts: they arrive with the finish part, and this side did not wait for it. 0 = unknown. */
const unknownUsage = { promptTokens: 0, outputTokens: 0, loadMs: 0, promptMs: 0, outputMs: 0 };

type Failure = Omit<Extract<AnswerEnd, { kind: "failed" }>, "kind" | "messageId">;

function endFailedAnswer({ host, messageId, message }: StreamingAnswer, failure: Failure): AnswerEnd {
  host.commit([{ type: "message_end", messageId, blocks: message.blocks(false), stop: "error" }]);
  return { kind: "failed", messageId, ...failure };
}

/** Ends the message as closing the run does, with estimated counts: its server reports none for an answer that was stopped. */
function endAbortedAnswer(answer: StreamingAnswer, { reason }: AbortSignal, tookMs: number): AnswerEnd {
  const { host, messageId, size, firstTokenMs } = answer;
  const [end] = closeMessages(host.view(), { reason: "aborted" }).filter((one) => isEndOf(one, messageId));
  if (firstTokenMs === null || reason === processEnds || end?.type !== "message_end") return { kind: "aborted" };
  const { blocks } = end;
  const outputTokens = blocks.reduce((sum, block) => sum + ("text" in block ? estimateTokens(block.text) : 0), 0);
  const outputMs = Math.max(0, tookMs - firstTokenMs);
  const usage = { ...unknownUsage, estimatedPromptTokens: size.estimate, outputTokens, outputMs, firstTokenMs };
  host.commit([{ ...end, usage }]);
  return { kind: "aborted" };
}

const isEndOf = (event: DurableEvent, messageId: MessageId): boolean =>
  event.type === "message_end" && event.messageId === messageId;

/** Keeps the text and the counts, drops the calls. */
function endStoppedAnswer(answer: StreamingAnswer, cut: AnswerStop, last: ModelPart | null): AnswerEnd {
  const { host, messageId, message, size } = answer;
  const usage = last?.type === "finish" ? { usage: completeUsage(answer, last.usage) } : {};
  host.commit([{ type: "message_end", messageId, blocks: message.blocks(false), stop: "length", ...usage }]);
  if (usage.usage !== undefined && usage.usage.promptTokens > 0) host.learnUsage(usage.usage, size);
  return { kind: "cut", messageId, error: cut };
}
