/**
 * What a model server's cache can still hold of a session: its last request and answer, when nothing else was asked of that model
 * since. A bound made of our own requests; other programs may have asked, too. Called by model-stream.
 */

export interface Served {
  /** Tokens of what the session asked and got last; 0 = something else came between, or nothing is known. */
  kept(place: Place): number;
  /** A request goes out: until it ends well nothing is known. */
  began(place: Place): void;
  ended(place: Place, tokens: number): void;
}

/** Servers keep one conversation a model. */
export interface Place {
  readonly host: string;
  readonly model: string;
  readonly who: string;
}

export function makeServed(): Served {
  const last = new Map<string, { readonly who: string; readonly tokens: number }>();
  const keyOf = ({ host, model }: Place): string => `${host} ${model}`;
  return {
    kept(place) {
      const before = last.get(keyOf(place));
      return before?.who === place.who ? before.tokens : 0;
    },
    began: (place) => void last.delete(keyOf(place)),
    ended: (place, tokens) => void last.set(keyOf(place), { who: place.who, tokens }),
  };
}
