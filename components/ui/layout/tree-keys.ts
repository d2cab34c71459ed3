/** Keys of a tree whose rows are drawn as a flat list. Pure. */

export interface TreeRowShape {
  readonly depth: number;
  /** Absent = the row has nothing below it. */
  readonly isOpen?: boolean;
  /** The focus goes past it. */
  readonly isPassed?: boolean;
}

/** `open` and `close` are about the row itself. */
export type TreeMove = { readonly kind: "focus"; readonly index: number } | { readonly kind: "open" | "close" };

/** Returns the effect of a key at a row; null = none. */
export function moveInTree<T>(
  rows: readonly T[],
  at: number,
  key: string,
  shapeOf: (row: T) => TreeRowShape,
): TreeMove | null {
  const shape = (index: number): TreeRowShape | undefined => rows.slice(index, index + 1).map(shapeOf)[0];
  const focus = (from: number, step = 1): TreeMove | null => {
    let index = from;
    while (shape(index)?.isPassed === true) index += step;
    return rows[index] === undefined ? null : { kind: "focus", index };
  };
  const now = shape(at);
  if (now === undefined) return null;
  switch (key) {
    case "ArrowDown":
      return focus(at + 1);
    case "ArrowUp":
      return at === 0 ? null : focus(at - 1, -1);
    case "Home":
      return focus(0);
    case "End":
      return focus(rows.length - 1, -1);
    case "ArrowRight":
      if (now.isOpen === undefined) return null;
      if (!now.isOpen) return { kind: "open" };
      return (shape(at + 1)?.depth ?? 0) > now.depth ? focus(at + 1) : null;
    case "ArrowLeft":
      if (now.isOpen === true) return { kind: "close" };
      return focus(rows.slice(0, at).findLastIndex((row) => shapeOf(row).depth < now.depth));
    default:
      return null;
  }
}
