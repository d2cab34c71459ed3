/** Makes every character of a text visible that a person decides on. */

// Control characters except tab and line feed, zero-width and bidirectional characters, separators, private use, lone
// surrogates.
const hiddenCharacters =
  /[^\P{C}\t\n]|[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]|[^\S \t\n]/gu;
const pictograph = /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}\ufe0f]*$/u;

/**
 * Escapes every invisible or terminal-controlling character as `\u{1b}`, for text to decide on. Keeps joiners and
 * selectors inside an emoji.
 */
export const escapeInvisible = (text: string): string =>
  text.replace(hiddenCharacters, (sign, index: number) =>
    (sign === "\u200d" || sign === "\ufe0f") && pictograph.test(text.slice(Math.max(0, index - 8), index))
      ? sign
      : `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  );
