/** The expression that a find in a terminal runs, made of the query and the options of its field. Pure. */

export interface TerminalQuery {
  readonly text: string;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
  readonly regex: boolean;
}

/** Matches everywhere but between two letters, digits or underscores of any script. */
const notInWord = String.raw`(?!(?<=[\p{L}\p{N}_])(?=[\p{L}\p{N}_]))`;

/** Returns the expression, for `matchAll` on a line; null = the text of the query is not a valid regular expression. */
export function compileFindPattern({ text, caseSensitive, wholeWord, regex }: TerminalQuery): RegExp | null {
  // The text is checked alone: `a)(b` is valid only inside the group below.
  if (regex && !isValidPattern(text)) return null;
  const source = regex ? text : text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return new RegExp(wholeWord ? `${notInWord}(?:${source})${notInWord}` : source, caseSensitive ? "gu" : "giu");
}

function isValidPattern(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
