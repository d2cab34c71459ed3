/** Names that look like one that is not there. Pure; called by openai-check. */
const least = 0.35;

/** Pairs of neighbouring letters and digits, as often as they stand there. */
function pairsOf(name: string): readonly string[] {
  const plain = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  return Array.from({ length: Math.max(plain.length - 1, 0) }, (_, at) => plain.slice(at, at + 2));
}

/** 0 to 1: the share of pairs that both have (Dice). */
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

/** At most `most` of `names`, the likest first; none when nothing is like it. */
export function nearNames(name: string, names: readonly string[], most = 5): readonly string[] {
  return names
    .map((other) => ({ other, score: likeness(name, other) }))
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ other }) => other);
}
