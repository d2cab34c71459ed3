/** Texts of other programs, made fit for a line of the model's context. Pure. */

/** Control and format characters, lone surrogates, and variation selectors, which can carry invisible text. */
const invisibleCharacters = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u{E0100}-\u{E01EF}]/gu;
const lineBreakingSpace = /[\s\u0085]+/g;

/** Longer texts are cut before they are examined. UTF-16 units. */
const maxReadChars = 4_096;

/** Returns the start of a text without invisible characters, on one line. */
export const toOneLine = (text: string): string =>
  text
    .slice(0, maxReadChars)
    .replace(lineBreakingSpace, " ")
    .replace(invisibleCharacters, "")
    .replace(/ +/g, " ")
    .trim();

/** Returns the start of a text without invisible characters; its lines are kept, with at most one blank line between. */
export const toPlainLines = (text: string, maxChars: number): string =>
  cutText(
    text
      .slice(0, maxChars * 2)
      .split(/\r\n?|\n/)
      .map((line) => line.replace(/\t/g, "  ").replace(invisibleCharacters, "").trimEnd())
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
    maxChars,
  );

/** Cuts a text to `maxChars` UTF-16 units, between words where one ends in its last third; "…" is at the end of a cut. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, "");
  const space = head.lastIndexOf(" ");
  return `${(space >= (maxChars * 2) / 3 ? head.slice(0, space) : head).trimEnd()}…`;
}

/** The end of a sentence: a full stop before a blank that is not part of an abbreviation, or a Chinese one. */
const sentenceEnd = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|incl))[.!?](?= |$)|[。！？]/i;

/** Returns the first sentence of a text without its full stop, on one line, cut to `maxChars` UTF-16 units. */
export function firstSentence(text: string, maxChars = 80): string {
  const line = toOneLine(text);
  const end = sentenceEnd.exec(line);
  const sentence = end === null ? line : line.slice(0, end.index + (/[.。]/.test(end[0]) ? 0 : 1));
  return cutText(sentence.replace(/[\s.。]+$/, ""), maxChars);
}
