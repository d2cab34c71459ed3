/** Splits command lines into words as a POSIX shell does. Pure. */

/** Marks that would do more than start one program. */
const operators = /[|&;<>()`]/;

/**
 * The words of each line, without quotes and escapes; `$NAME` is written as `${NAME}`. null = a quote is not closed, or
 * the text has an operator of the shell.
 */
export function splitCommandLines(text: string): readonly (readonly string[])[] | null {
  const lines: string[][] = [];
  let words: string[] = [];
  let word: string | null = null;
  let quote = "";
  const endWord = (): void => {
    if (word !== null) words.push(word.replace(/\$([A-Za-z_]\w*)/g, "$${$1}"));
    word = null;
  };
  const endLine = (): void => {
    endWord();
    if (words.length > 0) lines.push(words);
    words = [];
  };
  const plain = text.replace(/\r\n?/g, "\n");
  for (let at = 0; at < plain.length; at += 1) {
    const sign = plain.charAt(at);
    const next = plain.charAt(at + 1);
    const escapes = sign === "\\" && (quote === "" || (quote === '"' && /["\\$`\n]/.test(next)));
    if (escapes) {
      if (next !== "\n") word = (word ?? "") + next;
      at += 1;
    } else if (sign === quote) quote = "";
    else if (quote !== "") word = (word ?? "") + sign;
    else if (sign === '"' || sign === "'") {
      quote = sign;
      word ??= "";
    } else if (sign === "\n") endLine();
    else if (/\s/.test(sign)) endWord();
    else if (operators.test(sign) || (sign === "$" && next === "(")) return null;
    else word = (word ?? "") + sign;
  }
  endLine();
  return quote === "" ? lines : null;
}
