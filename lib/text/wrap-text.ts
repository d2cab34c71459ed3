/** Breaks text into lines of a number of columns, between words where possible. */
import { cellWidth } from "./cell-width";

/** Returns lines of at most `width` columns; every line after the first one begins with `indent`. Pure. */
export function wrapText(text: string, width: number, indent = ""): readonly string[] {
  const lines: string[] = [];
  let line = "";
  const isEmpty = (): boolean => line.trim() === "";
  const startLine = (): void => {
    lines.push(line.trimEnd());
    line = indent;
  };
  for (const word of text.match(/ +|[^ ]+/g) ?? []) {
    if (word.trim() === "") {
      // At a break it is left out.
      if (line !== indent || lines.length === 0) line += word;
      continue;
    }
    if (!isEmpty() && textColumns(line + word) > width) startLine();
    // A word that is wider than a line is broken anywhere, as Chinese is.
    for (const char of word) {
      if (textColumns(line) + cellWidth(char) > width && !isEmpty()) startLine();
      line += char;
    }
  }
  return [...lines, line.trimEnd()];
}

/** Returns the columns of a text. Pure. */
export const textColumns = (text: string): number => [...text].reduce((sum, char) => sum + cellWidth(char), 0);
