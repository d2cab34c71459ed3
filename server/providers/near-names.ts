/** Finds names similar to a missing one. Pure. */
const least = 0.35;

/** Bigrams of the letters and digits, with repetitions. */
function pairsOf(name: string): readonly string[] {
  const plain = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  return Array.from({ length: Math.max(plain.length - 1, 0) }, (_, at) => plain.slice(at, at + 2));
}

/** Dice coefficient of the bigrams, 0 to 1. */
function likeness(one: string, other: string): number {
  const ours = pairsOf(one);
  const theirs = [...pairsOf(other)];
  const all = ours.length + theirs.length;
  let both = 0;
  for (const pair of ours) {
    const at = theirs.indexOf(pair);
    if (at < 0) continue;
    theirs.splice(at, 1);
    both += 1;
  }
  return all === 0 ? 0 : (2 * both) / all;
}

/** Returns at most `most` of `names`, most similar first; empty if none is similar. */
export function nearNames(name: string, names: readonly string[], most = 5): readonly string[] {
  return names
    .map((other) => ({ other, score: likeness(name, other) }))
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ other }) => other);
}
