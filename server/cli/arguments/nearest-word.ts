/** Finds the word that a misspelt one probably stands for. */

/** Returns the nearest of the words, regardless of case; null = none is near. */
export function findNearestWord(misspelt: string, words: readonly string[]): string | null {
  const byDistance = words.map((word) => ({ word, distance: editDistance(misspelt.toLowerCase(), word) }));
  const nearest = byDistance.sort((a, b) => a.distance - b.distance)[0];
  const most = Math.max(1, Math.floor(misspelt.length / 2));
  return nearest !== undefined && nearest.distance <= Math.min(most, 3) ? nearest.word : null;
}

/** Damerau-Levenshtein distance: insertions, deletions, replacements, and swaps of two neighbours. */
function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (older[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    older = last;
    last = row;
  }
  return last[b.length] ?? a.length;
}
