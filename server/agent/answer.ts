/** Streams one model answer into one message: commits deltas as they arrive and message_end with the complete value. */
import type { Block, Usage } from "@/lib/content";
import type { MessageId } from "@/lib/id";
import type { AgentError } from "@/lib/error";
import type { ModelPart, ModelRequest } from "../providers/provider";
import { makeRepeatGuard, makeTokenCount, type Repeat } from "./guard-text";
import type { AgentHost } from "./host";
import type { Shown } from "./live-blocks";
import { makeOpenMessage, type OpenMessage } from "./open-message";
import type { PromptSize } from "./prompt-size";

/** Reason for which this side stopped an answer. `facts.in` is "thinking" or "text". */
export type CutCode = "think_limit" | "answer_now" | "repeated_text";

interface Cut {
  readonly code: CutCode;
  readonly facts: NonNullable<AgentError["facts"]>;
}

/** `usage` is null if the server reported none. */
export type AnswerEnd =
  | { readonly kind: "done"; readonly empty: boolean; readonly usage: Usage | null }
  | { readonly kind: "length"; readonly usage: Usage | null }
  | ({ readonly kind: "cut"; readonly messageId: MessageId } & Cut)
  | {
      readonly kind: "failed";
      readonly messageId: MessageId;
      readonly error: AgentError;
      readonly retryable: boolean;
      readonly retryAfterMs?: number;
    }
  | { readonly kind: "aborted" };

interface Answer {
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
 * Requires a committed message_start. Commits message_end, unless `signal` fired: then closing the run ends the
 * message.
 */
export async function streamAnswer(
  host: AgentHost,
  messageId: MessageId,
  request: ModelRequest,
  size: PromptSize,
  signal: AbortSignal,
): Promise<AnswerEnd> {
  const offersTools = request.tools.length > 0;
  const message = makeOpenMessage(host, messageId, offersTools);
  const answer: Answer = { host, messageId, message, offersTools, size, firstTokenMs: null };
  const askedAt = host.now();
  const guard = makeGuard(host.settings().thinkMaxTokens);
  const own = new AbortController();
  let wanted: Cut | null = null;
  const stopListening = host.onAnswerNow(() => {
    if (message.live.answers || (request.think === false && !message.live.thinks)) return false;
    wanted = { code: "answer_now", facts: { in: "thinking" } };
    own.abort();
    return true;
  });
  let last: ModelPart | null = null;
  let cut: Cut | null = null;
  try {
    for await (const part of host.stream(request, AbortSignal.any([signal, own.signal]))) {
      if (signal.aborted || own.signal.aborted) break;
      last = part;
      if (part.type === "finish" || part.type === "failed") break;
      if (part.type !== "phase") answer.firstTokenMs ??= Math.max(0, host.now() - askedAt);
      cut = guard.look(message.take(part));
      if (cut === null && !message.finished) continue;
      own.abort();
      break;
    }
  } finally {
    stopListening();
    message.close();
  }
  if (signal.aborted) return { kind: "aborted" };
  cut ??= wanted;
  if (cut === null && last?.type === "failed" && last.error.code === "incomplete") cut = guard.atEnd();
  return cut === null ? ended(answer, last) : endedByCut(answer, cut);
}

interface Guard {
  look(shown: readonly Shown[]): Cut | null;
  /** Checks a stream that ended without a finish part: Ollama aborts after about 30 equal tokens (field D12). */
  atEnd(): Cut | null;
}

/**
 * Creates the guard of one answer: limits thinking to `thinkMaxTokens` (0 = unlimited) and detects repeated text.
 * null = no violation so far.
 */
function makeGuard(thinkMaxTokens: number): Guard {
  const repeats = {
    thinking: makeRepeatGuard({ words: true }),
    text: makeRepeatGuard({ words: true }),
    input: makeRepeatGuard({ words: false }),
  };
  const thinking = makeTokenCount();
  const check = ({ kind, text }: Shown): Cut | null => {
    if (kind !== "thinking") return repeated(repeats[kind].push(text), "text");
    thinking.push(text);
    const { tokens } = thinking;
    if (thinkMaxTokens > 0 && tokens > thinkMaxTokens)
      return { code: "think_limit", facts: { in: "thinking", tokens, limit: thinkMaxTokens } };
    return repeated(repeats.thinking.push(text), "thinking");
  };
  let last: Shown["kind"] = "text";
  return {
    look(shown) {
      for (const piece of shown) {
        last = piece.kind;
        const cut = check(piece);
        if (cut !== null) return cut;
      }
      return null;
    },
    atEnd: () => repeated(repeats[last].atEnd(), last === "thinking" ? "thinking" : "text"),
  };
}

/** Maximum length of the repeated unit as logged, UTF-16 units. */
const unitShownChars = 120;

const repeated = (repeat: Repeat | null, where: "text" | "thinking"): Cut | null =>
  repeat === null
    ? null
    : {
        code: "repeated_text",
        facts: { in: where, unit: repeat.unit.trim().slice(0, unitShownChars), times: repeat.times },
      };

function ended(answer: Answer, last: ModelPart | null): AnswerEnd {
  const { host, messageId, message, size, firstTokenMs } = answer;
  if (last?.type === "failed") {
    const { type: _type, ...failure } = last;
    return failed(answer, failure);
  }
  if (last?.type !== "finish" && !message.finished)
    // A stream that ends without finish or failed is a provider bug or a closed connection: an error either way.
    return failed(answer, { error: { code: "incomplete" }, retryable: true });
  const { stop, usage: told } = last?.type === "finish" ? last : { stop: "done" as const, usage: nothingTold };
  const blocks = message.blocks(stop === "done");
  const usage: Usage = {
    ...told,
    estimatedPromptTokens: size.estimate,
    ...(firstTokenMs === null ? {} : { firstTokenMs }),
  };
  const lost = last?.type === "finish" && stop === "done" ? lostCall(answer, last, blocks) : null;
  if (lost !== null) {
    host.commit([{ type: "message_end", messageId, blocks, stop: "error", usage }]);
    return { kind: "failed", messageId, error: lost, retryable: false };
  }
  host.commit([{ type: "message_end", messageId, blocks, stop, usage }]);
  if (usage.promptTokens > 0) host.learn(usage, size);
  return stop === "length" ? { kind: "length", usage } : { kind: "done", empty: isEmpty(blocks), usage };
}

/**
 * Detects a lost call: the model produced many more tokens than were streamed and no call arrived, so the server
 * started to parse a call that was never closed.
 */
function lostCall(
  { offersTools }: Answer,
  { unseenTokens }: Extract<ModelPart, { type: "finish" }>,
  blocks: readonly Block[],
): AgentError | null {
  if (!offersTools || unseenTokens === undefined || blocks.some((block) => block.type === "call")) return null;
  return { code: "lost_call", facts: { tokens: unseenTokens } };
}

const isEmpty = (blocks: readonly Block[]): boolean =>
  !blocks.some((block) => block.type === "call" || block.type === "text");

/** Usage without server counts: they arrive with the finish part, and this side did not wait for it. 0 = unknown. */
const nothingTold = { promptTokens: 0, outputTokens: 0, loadMs: 0, promptMs: 0, outputMs: 0 };

type Failure = Omit<Extract<AnswerEnd, { kind: "failed" }>, "kind" | "messageId">;

function failed({ host, messageId, message }: Answer, failure: Failure): AnswerEnd {
  host.commit([{ type: "message_end", messageId, blocks: message.blocks(false), stop: "error" }]);
  return { kind: "failed", messageId, ...failure };
}

/** Keeps the text, drops the calls. */
function endedByCut({ host, messageId, message }: Answer, cut: Cut): AnswerEnd {
  host.commit([{ type: "message_end", messageId, blocks: message.blocks(false), stop: "length" }]);
  return { kind: "cut", messageId, ...cut };
}
