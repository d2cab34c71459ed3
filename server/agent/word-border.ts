/** Where a repeated text is shown from: it may be found at any of its characters. Pure; used by guard-text. */

/** How good a place is to begin at, by what stands before it. */
const rank = (before: string): number =>
  /[.!?。！？]\s*$|\n\s*$/u.test(before) ? 0 : /[\p{P}\p{S}]\s*$/u.test(before) ? 1 : 2;

/** The same repeated unit, turned so that it begins with a sentence, else behind a sign, else with a word. */
export function fromWordBorder(unit: string): string {
  const around = unit.repeat(3);
  let best = 0;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const { index, isWordLike } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(around)) {
    if (isWordLike !== true || index < unit.length || index >= 2 * unit.length) continue;
    const found = rank(around.slice(0, index));
    if (found >= bestRank) continue;
    best = index;
    bestRank = found;
  }
  return around.slice(best, best + unit.length);
}
