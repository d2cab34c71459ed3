/** Finding text in a whole conversation, the loaded part and the rest. */
import { type Entry, pathOf, type SessionView } from "./view";

export interface Hit {
  /** The entry's seq. */
  readonly seq: number;
  /** Some words around it. */
  readonly excerpt: string;
  /** How often it stands in this entry. */
  readonly count: number;
}

const aroundChars = 40;

/** How often the text stands in all of them. */
export const placesOf = (hits: readonly Hit[]): number => hits.reduce((sum, { count }) => sum + count, 0);

/** The hit that place `index` belongs to, and which of its places it is, both from 0; null beyond the last. */
export function placeAt(hits: readonly Hit[], index: number): { readonly seq: number; readonly nth: number } | null {
  let nth = index;
  for (const { seq, count } of hits) {
    if (nth < count) return { seq, nth };
    nth -= count;
  }
  return null;
}

/** Entries of the path with the text, oldest first, case ignored. */
export function findIn(
  view: SessionView,
  query: string,
  max: number,
): { readonly hits: readonly Hit[]; readonly more: boolean } {
  const needle = query.toLowerCase();
  const hits: Hit[] = [];
  for (const entry of pathOf(view)) {
    const text = searchableText(entry);
    const low = text.toLowerCase();
    const first = needle === "" ? -1 : low.indexOf(needle);
    if (first < 0) continue;
    if (hits.length === max) return { hits, more: true };
    const start = Math.max(0, first - aroundChars);
    hits.push({
      seq: entry.seq,
      count: low.split(needle).length - 1,
      excerpt: text
        .slice(start, first + needle.length + aroundChars)
        .replace(/\s+/g, " ")
        .trim(),
    });
  }
  return { hits, more: false };
}

/** What a reader sees of an entry: text, targets and outputs. */
function searchableText(entry: Entry): string {
  if (entry.kind === "compaction") return entry.summary ?? "";
  if (entry.kind !== "message") return "";
  const blocks = entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const calls = entry.calls.flatMap((call) => [
    call.target,
    ...(call.output ?? []).flatMap((block) => (block.type === "text" ? [block.text] : [])),
  ]);
  return [...blocks, ...calls].join("\n");
}
