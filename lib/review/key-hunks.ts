/** Keys of the hunks of a file. Pure. */
import type { Hunk } from "../text/diff";

/** Returns a key for each hunk by its content, so that it is found again when another one is decided. */
export function keyHunks(hunks: readonly Hunk[]): readonly string[] {
  const counts = new Map<string, number>();
  return hunks.map(({ lines }) => {
    const key = lines.map(({ kind, text }) => `${kind} ${text}`).join("\n");
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return `${count} ${key}`;
  });
}
