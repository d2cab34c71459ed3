/** Column width of characters in a terminal. */

const noWidth = /^(?!\u00ad)[\p{Mn}\p{Me}\p{Cf}]$/u;
/** East Asian wide and full-width characters, and emoji that are drawn as pictures. */
const doubleWidth =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

/** Returns the number of columns of one code point: 0 for combining characters. */
export function cellWidth(char: string): 0 | 1 | 2 {
  if (char < "\u0300") return 1;
  return noWidth.test(char) ? 0 : doubleWidth.test(char) ? 2 : 1;
}
