/**
 * Estimates the contents of a server's prompt cache: the last request to each model and its answer. Servers keep one
 * conversation per model, and reuse the common messages at the start of the next request. Other programs may have used
 * the server, too.
 */
import type { ModelRequest } from "@/server/providers/provider";

type PromptPrefix = Pick<ModelRequest, "messages" | "tools" | "think">;

/** A completed request. Token counts are the server's, or the expected ones if it reported none. */
export interface CompletedRequest extends PromptPrefix {
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** Thinking of the answer: a request that leaves it out does not begin with that answer. */
  readonly thinking: string;
}

export interface PrefixCacheTracker {
  /** null = unknown */
  last(place: CacheSlot): CompletedRequest | null;
  /** Records that a request was sent: the cache is unknown until it ends. */
  requestSent(place: CacheSlot): void;
  requestEnded(place: CacheSlot, ended: CompletedRequest): void;
}

export interface CacheSlot {
  readonly host: string;
  readonly model: string;
}

export function makePrefixCacheTracker(): PrefixCacheTracker {
  const lastRequests = new Map<string, CompletedRequest>();
  const keyOf = ({ host, model }: CacheSlot): string => `${host} ${model}`;
  return {
    last: (place) => lastRequests.get(keyOf(place)) ?? null,
    requestSent: (place) => void lastRequests.delete(keyOf(place)),
    requestEnded: (place, { messages, tools, think, promptTokens, outputTokens, thinking }) =>
      void lastRequests.set(keyOf(place), { messages, tools, think, promptTokens, outputTokens, thinking }),
  };
}

/** Number of common messages at the start; 0 if tools or thinking differ, which precede the messages. */
export function countCommonMessages(one: PromptPrefix, other: PromptPrefix): number {
  if (one.think !== other.think || !isEqualJson(one.tools, other.tools)) return 0;
  const different = one.messages.findIndex((message, index) => !isEqualJson(message, other.messages[index]));
  return different < 0 ? one.messages.length : different;
}

const isEqualJson = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
