/** How much of an answer is taken. Pure but for its own state; used by the answers of each provider. */

/** The first `length` UTF-16 units, without half a character at the end. */
const cutText = (whole: string, length: number): string => whole.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");

export interface AnswerLimit {
  /** What of `whole` still fits; counts all of it. */
  fit(whole: string): string;
  /** Counts characters that are kept elsewhere. */
  count(chars: number): void;
  /** UTF-16 units counted so far. */
  readonly chars: number;
  readonly over: boolean;
}

/** `maxChars` bounds text, thinking and inputs together, UTF-16 units. */
export function makeAnswerLimit(maxChars: number): AnswerLimit {
  let chars = 0;
  return {
    fit(whole) {
      const room = Math.max(maxChars - chars, 0);
      chars += whole.length;
      return whole.length <= room ? whole : cutText(whole, room);
    },
    count(more) {
      chars += more;
    },
    get chars() {
      return chars;
    },
    get over() {
      return chars > maxChars;
    },
  };
}
