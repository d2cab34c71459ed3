/** Keyboard navigation of a menu: arrows, Home, End and type-ahead. Pure: the time is an argument. */
interface TypeAhead {
  readonly text: string;
  /** Time of the last letter, ms */
  readonly at: number;
}

const typeAheadMs = 700;

/** Returns the row to focus; null = not a navigation key. `current` is -1 when no row has focus. */
export function nextMenuRow(
  key: string,
  current: number,
  labels: readonly string[],
  typed: TypeAhead,
  now: number,
): { readonly index: number; readonly typed: TypeAhead } | null {
  const count = labels.length;
  if (count === 0) return null;
  const go = (index: number): { readonly index: number; readonly typed: TypeAhead } => ({
    index,
    typed: { text: "", at: 0 },
  });
  if (key === "ArrowDown") return go((current + 1) % count);
  if (key === "ArrowUp") return go(current <= 0 ? count - 1 : current - 1);
  if (key === "Home") return go(0);
  if (key === "End") return go(count - 1);
  if ([...key].length !== 1 || key === " ") return null;
  const text = (now - typed.at < typeAheadMs ? typed.text : "") + key.toLowerCase();
  // Repeating a letter moves to the next row that begins with it.
  const repeated = [...text].every((letter) => letter === text[0]);
  const needle = repeated ? key.toLowerCase() : text;
  const from = repeated ? current + 1 : Math.max(0, current);
  for (let step = 0; step < count; step += 1) {
    const index = (from + step + count) % count;
    if (labels[index]?.toLowerCase().startsWith(needle) === true) return { index, typed: { text, at: now } };
  }
  return { index: Math.max(0, current), typed: { text, at: now } };
}
