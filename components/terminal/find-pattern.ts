/** The expression that a find in a terminal runs, made of the query and the options of its field. Pure. */

export interface TerminalQuery {
  readonly text: string;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
}

/** Matches everywhere but between two letters, digits or underscores of any script. */
const notInWord = String.raw`(?!(?<=[\p{L}\p{N}_])(?=[\p{L}\p{N}_]))`;

/** Returns the expression, for `matchAll` on a line. Its time is linear: the text of the query is no expression itself. */
export function compileFindPattern({ text, caseSensitive, wholeWord }: TerminalQuery): RegExp {
  const source = text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return new RegExp(wholeWord ? `${notInWord}(?:${source})${notInWord}` : source, caseSensitive ? "gu" : "giu");
}
