/** Aligns a repeated unit to a word border: detection may cut it at any character. Pure. */

/** Quality of a start position, by the text before it: 0 = sentence start, 1 = after punctuation, 2 = other. */
const borderRank = (before: string): number =>
  /[.!?。！？]\s*$|\n\s*$/u.test(before) ? 0 : /[\p{P}\p{S}]\s*$/u.test(before) ? 1 : 2;

/** Rotates the repeated unit so that it starts with a sentence, else after punctuation, else with a word. */
export function alignToWordBorder(unit: string): string {
  const around = unit.repeat(3);
  let best = 0;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const { index, isWordLike } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(around)) {
    if (isWordLike !== true || index < unit.length || index >= 2 * unit.length) continue;
    const found = borderRank(around.slice(0, index));
    if (found >= bestRank) continue;
    best = index;
    bestRank = found;
  }
  return around.slice(best, best + unit.length);
}
