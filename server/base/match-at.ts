/** Matches expressions with the sticky flag at an offset of a text. */

export function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** Returns the length of the match at an offset; 0 = no match. */
export const matchLengthAt = (expression: RegExp, text: string, at: number): number =>
  matchAt(expression, text, at)?.[0].length ?? 0;
