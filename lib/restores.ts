/** Which file restores of a conversation reverse an earlier one. Pure; asked by the conversation and the Changes view. */

interface Restore {
  readonly seq: number;
  readonly toSeq: number;
}

/**
 * Seqs of the restores that bring undone changes back. `restores` are in the order of the log. A restore to the place just
 * before another one reverses it; one that reverses a reversal undoes the changes again.
 */
export function reversals(restores: readonly Restore[]): ReadonlySet<number> {
  const undos = new Set<number>();
  const found = new Set<number>();
  for (const { seq, toSeq } of restores) {
    if (undos.has(toSeq + 1)) found.add(seq);
    else undos.add(seq);
  }
  return found;
}
