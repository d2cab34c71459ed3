/** First letter of the pinyin of a Chinese character, from the collation order of the platform. */

/** The first character of each letter in pinyin order; no syllable starts with i, u or v. */
const firstCharacters = "阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥仨他屲夕丫帀";
const letters = "abcdefghijklmnopqrstuvwxyz".replace(/[iuv]/g, "");

export const isHan = (code: number): boolean => code >= 0x4e00 && code <= 0x9fff;

let collator: Intl.Collator | undefined;
const initials = new Map<number, number>();

/** Returns the code of the letter (a to z) for a character of the CJK block; the most frequent reading counts. */
export function hanInitial(code: number): number {
  const cached = initials.get(code);
  if (cached !== undefined) return cached;
  const initial = findInitial(String.fromCharCode(code));
  initials.set(code, initial);
  return initial;
}

function findInitial(character: string): number {
  collator ??= new Intl.Collator("zh-Hans-u-co-pinyin");
  let at = 0;
  while (at + 1 < letters.length && collator.compare(character, firstCharacters.charAt(at + 1)) >= 0) at += 1;
  return letters.charCodeAt(at);
}
