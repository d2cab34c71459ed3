/** Length limit of one answer. Pure apart from its own counter. */

/** The first `length` UTF-16 units, without a split surrogate pair at the end. */
const cutText = (whole: string, length: number): string => whole.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");

/** `maxChars` (UTF-16 units) bounds text, thinking and call inputs together. */
export function makeAnswerLimit(maxChars: number) {
  let chars = 0;
  return {
    /** Returns the part of `whole` that still fits; counts all of it. */
    fit(whole: string): string {
      const available = Math.max(maxChars - chars, 0);
      chars += whole.length;
      return whole.length <= available ? whole : cutText(whole, available);
    },
    /** Counts characters that are stored elsewhere. */
    count(more: number): void {
      chars += more;
    },
    /** UTF-16 units counted so far. */
    get chars() {
      return chars;
    },
    get over() {
      return chars > maxChars;
    },
  };
}
