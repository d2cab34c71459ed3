/**
 * A persistent list of shared chunks with a short tail: `push` copies only the tail, `replace` copies the tail or one
 * chunk. Copying an array or map per event would make the fold of a long session quadratic; with chunks it is linear.
 */
export interface Chunks<T> {
  readonly length: number;
  /** All of length `chunkSize`. */
  readonly chunks: readonly (readonly T[])[];
  /** Fewer than `chunkSize` items. */
  readonly tail: readonly T[];
}

const chunkSize = 32;

export const emptyChunks: Chunks<never> = { length: 0, chunks: [], tail: [] };

export function toChunks<T>(items: readonly T[]): Chunks<T> {
  const chunks: (readonly T[])[] = [];
  let start = 0;
  for (; start + chunkSize <= items.length; start += chunkSize) chunks.push(items.slice(start, start + chunkSize));
  return { length: items.length, chunks, tail: items.slice(start) };
}

export function push<T>(list: Chunks<T>, item: T): Chunks<T> {
  const tail = [...list.tail, item];
  const full = tail.length === chunkSize;
  return { length: list.length + 1, chunks: full ? [...list.chunks, tail] : list.chunks, tail: full ? [] : tail };
}

/** Returns the item at `index`; undefined if out of range. */
export function at<T>(list: Chunks<T>, index: number): T | undefined {
  if (index < 0) return undefined;
  const inTail = index - list.chunks.length * chunkSize;
  return inTail >= 0 ? list.tail[inTail] : list.chunks[Math.floor(index / chunkSize)]?.[index % chunkSize];
}

export function replace<T>(list: Chunks<T>, index: number, item: T): Chunks<T> {
  if (index < 0 || index >= list.length) return list;
  const inTail = index - list.chunks.length * chunkSize;
  if (inTail >= 0) return { ...list, tail: list.tail.with(inTail, item) };
  const chunkIndex = Math.floor(index / chunkSize);
  const chunk = list.chunks[chunkIndex] ?? [];
  return { ...list, chunks: list.chunks.with(chunkIndex, chunk.with(index % chunkSize, item)) };
}

export function* iterate<T>(list: Chunks<T>): Generator<T> {
  for (const chunk of list.chunks) yield* chunk;
  yield* list.tail;
}

/** Returns the parts in order. Every part but the last keeps its identity until one of its items changes. */
export const chunkParts = <T>(list: Chunks<T>): readonly (readonly T[])[] =>
  list.tail.length === 0 ? list.chunks : [...list.chunks, list.tail];

/** Iterates from the last item to the first. */
export function* iterateBackward<T>(list: Chunks<T>): Generator<T> {
  const parts = chunkParts(list);
  for (let partIndex = parts.length - 1; partIndex >= 0; partIndex -= 1) {
    const part = parts[partIndex] ?? [];
    for (let index = part.length - 1; index >= 0; index -= 1) {
      const item = part[index];
      if (item !== undefined) yield item;
    }
  }
}

/** Index of the item with this seq in a list ordered by seq; -1 if there is none. */
export function indexOfSeq(list: Chunks<{ readonly seq: number }>, seq: number): number {
  const index = lastIndexUpTo(list, seq);
  return at(list, index)?.seq === seq ? index : -1;
}

/** Index of the last item with a seq ≤ `seq` in a list ordered by seq; -1 if there is none. */
export function lastIndexUpTo(list: Chunks<{ readonly seq: number }>, seq: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at(list, middle)?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
