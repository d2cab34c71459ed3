/** Determines which file restores of a conversation reverse an earlier one. */

interface Restore {
  readonly seq: number;
  readonly toSeq: number;
}

/**
 * Returns the seqs of the restores that reapply undone changes. `restores` are in log order. A restore to the seq
 * directly before another restore reverses it; reversing a reversal undoes the changes again.
 */
export function reversingRestores(restores: readonly Restore[]): ReadonlySet<number> {
  const undos = new Set<number>();
  const redos = new Set<number>();
  for (const { seq, toSeq } of restores) {
    if (undos.has(toSeq + 1)) redos.add(seq);
    else undos.add(seq);
  }
  return redos;
}
