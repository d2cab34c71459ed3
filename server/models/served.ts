/**
 * Estimates the contents of a server's prompt cache: the last request to each model and its answer. Servers keep one
 * conversation per model, and reuse the common messages at the start of the next request. Other programs may have used
 * the server, too.
 */
import type { ModelRequest } from "@/server/providers/provider";

export type Asked = Pick<ModelRequest, "messages" | "tools" | "think">;

/** A completed request. Token counts are the server's, or the expected ones if it reported none. */
export interface Ended extends Asked {
  readonly promptTokens: number;
  readonly outputTokens: number;
}

export interface Served {
  /** null = unknown */
  last(place: Place): Ended | null;
  /** Records that a request was sent: the cache is unknown until it ends. */
  began(place: Place): void;
  ended(place: Place, ended: Ended): void;
}

export interface Place {
  readonly host: string;
  readonly model: string;
}

export function makeServed(): Served {
  const kept = new Map<string, Ended>();
  const keyOf = ({ host, model }: Place): string => `${host} ${model}`;
  return {
    last: (place) => kept.get(keyOf(place)) ?? null,
    began: (place) => void kept.delete(keyOf(place)),
    ended: (place, { messages, tools, think, promptTokens, outputTokens }) =>
      void kept.set(keyOf(place), { messages, tools, think, promptTokens, outputTokens }),
  };
}

/** Number of common messages at the start; 0 if tools or thinking differ, which precede the messages. */
export function commonMessages(one: Asked, other: Asked): number {
  if (one.think !== other.think || !isSame(one.tools, other.tools)) return 0;
  const different = one.messages.findIndex((message, index) => !isSame(message, other.messages[index]));
  return different < 0 ? one.messages.length : different;
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
