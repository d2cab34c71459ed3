/** Texts between a program and the user of a terminal. Pure. */

/** Longest title shown, characters. */
const maxTitleChars = 80;

/** Removes control, bidirectional and other invisible characters: a program chooses the title. */
export const cleanTitle = (title: string): string =>
  title
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .trim()
    .slice(0, maxTitleChars);

/** Removes control characters but tab and line ends. */
export const cleanPaste = (text: string): string => text.replace(/(?![\t\n\r])\p{Cc}/gu, "");

/** Divides a text into parts of at most `maxChars` (at least 2), without splitting a surrogate pair. */
export function splitText(text: string, maxChars: number): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + maxChars;
    const isSplit = end < text.length && /^[\udc00-\udfff]/.test(text.charAt(end));
    parts.push(text.slice(from, isSplit ? end - 1 : end));
    from = isSplit ? end - 1 : end;
  }
  return parts;
}

/** Returns what an arrow key sends in application cursor mode; any other text as it is. */
export const toApplicationKey = (text: string): string => text.replace(/^\u001b\[([A-D])$/, "\u001bO$1");

/**
 * Whether the text is an answer of the terminal to a query of a program: device attributes, cursor position, status, mode
 * or size report, OSC or DCS string. Keys and reports of the mouse or the focus are not.
 */
export const isTerminalReply = (text: string): boolean =>
  /^\u001b(?:\[(?:[?>=]?[\d;]*c|\??\d+;\d+(?:;\d+)?R|\d+n|\?[\d;]+\$y|[\d;]+t)|[\]P].*)$/s.test(text);
