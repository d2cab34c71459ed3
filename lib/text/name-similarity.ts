/**
 * Measures the similarity of two names, regardless of case and separators. Pure. Pairs of characters find names that lack a
 * part or have their parts in another order; edits find typing errors, which leave short words without a common pair.
 */
import { toPlainKey } from "./name-key";

const pairsOf = (name: string): readonly string[] => {
  const plain = toPlainKey(name);
  return Array.from({ length: Math.max(plain.length - 1, 0) }, (_, at) => plain.slice(at, at + 2));
};

interface RankedName<T> {
  readonly item: T;
  /** Dice coefficient of the pairs of neighbouring characters, with repetitions: 0 to 1. */
  readonly score: number;
}

/** Returns the items, most similar first, each by the best of its names. Equal ones keep their order. */
export function rankBySimilarity<T>(
  name: string,
  items: readonly T[],
  namesOf: (item: T) => readonly string[],
): readonly RankedName<T>[] {
  const wanted = pairsOf(name);
  const times = new Map<string, number>();
  for (const pair of wanted) times.set(pair, (times.get(pair) ?? 0) + 1);
  const score = (other: string): number => {
    const pairs = pairsOf(other);
    const left = new Map<string, number>();
    let common = 0;
    for (const pair of pairs) {
      const count = left.get(pair) ?? times.get(pair) ?? 0;
      if (count === 0) continue;
      left.set(pair, count - 1);
      common += 1;
    }
    return (2 * common) / Math.max(1, wanted.length + pairs.length);
  };
  return items
    .map((item) => ({ item, score: Math.max(...namesOf(item).map(score)) }))
    .toSorted((one, other) => other.score - one.score);
}

/** A word with more typing errors, or with half of its characters wrong, is another word. */
const maxEdits = 3;

/** Returns the nearest of the words by typing errors, regardless of case; null = none is near. */
export function findNearestWord(misspelt: string, words: readonly string[]): string | null {
  const [nearest] = words
    .map((word) => ({ word, edits: countEdits(misspelt.toLowerCase(), word.toLowerCase()) }))
    .toSorted((one, other) => one.edits - other.edits);
  return nearest !== undefined && nearest.edits <= Math.min(misspelt.length / 2, maxEdits) ? nearest.word : null;
}

/** Damerau-Levenshtein distance: insertions, deletions, replacements, and swaps of two neighbours. */
export function countEdits(one: string, other: string): number {
  let older: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
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
  return last[other.length] ?? one.length;
}
