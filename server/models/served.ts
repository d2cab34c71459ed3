/**
 * What a model server's cache can still hold of a request: the last one that was asked of that model, and its answer. Servers keep
 * one conversation a model, and of the next request what begins with the same messages. Other programs may have asked, too. Called by
 * model-stream.
 */
import type { ModelRequest } from "@/server/providers/provider";

export type Asked = Pick<ModelRequest, "messages" | "tools" | "think">;

/** A request as it ended. Tokens are the server's count, or the expected one where it told none. */
export interface Ended extends Asked {
  readonly promptTokens: number;
  readonly outputTokens: number;
}

export interface Served {
  /** null = nothing is known. */
  last(place: Place): Ended | null;
  /** A request goes out: until it ends nothing is known. */
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

/** How many messages both begin with; 0 also where tools or thinking differ, which stand before them. */
export function commonMessages(one: Asked, other: Asked): number {
  if (one.think !== other.think || !isSame(one.tools, other.tools)) return 0;
  const different = one.messages.findIndex((message, index) => !isSame(message, other.messages[index]));
  return different < 0 ? one.messages.length : different;
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
