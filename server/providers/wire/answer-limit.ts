/** Length limit of one answer. Pure apart from its own counter. */

/** The first `length` UTF-16 units, without a split surrogate pair at the end. */
const cutText = (whole: string, length: number): string => whole.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");

export interface AnswerLimit {
  /** Returns the part of `whole` that still fits; counts all of it. */
  fit(whole: string): string;
  /** Counts characters that are stored elsewhere. */
  count(chars: number): void;
  /** UTF-16 units counted so far. */
  readonly chars: number;
  readonly over: boolean;
}

/** `maxChars` (UTF-16 units) bounds text, thinking and call inputs together. */
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
