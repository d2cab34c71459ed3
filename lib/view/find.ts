/** Text search in a conversation. */
import { type Entry, pathEntries, type SessionView } from "./view";

export interface FindHit {
  /** The entry's seq. */
  readonly seq: number;
  /** Text around the first match, on one line. */
  readonly excerpt: string;
  /** Number of matches in this entry. */
  readonly count: number;
}

const excerptContextChars = 40;

/** Total number of matches. */
export const countMatches = (hits: readonly FindHit[]): number => hits.reduce((sum, { count }) => sum + count, 0);

/** Resolves match `index` (0-based, over all hits) to its entry and its 0-based number there; null if out of range. */
export function resolveMatch(
  hits: readonly FindHit[],
  index: number,
): { readonly seq: number; readonly nth: number } | null {
  let nth = index;
  for (const { seq, count } of hits) {
    if (nth < count) return { seq, nth };
    nth -= count;
  }
  return null;
}

/** Finds the entries of the path that contain `query`, ignoring case, oldest first; at most `max` hits. */
export function findInConversation(
  view: SessionView,
  query: string,
  max: number,
): { readonly hits: readonly FindHit[]; readonly more: boolean } {
  const needle = query.toLowerCase();
  const hits: FindHit[] = [];
  for (const entry of pathEntries(view)) {
    const text = searchableText(entry);
    const low = text.toLowerCase();
    const first = needle === "" ? -1 : low.indexOf(needle);
    if (first < 0) continue;
    if (hits.length === max) return { hits, more: true };
    const start = Math.max(0, first - excerptContextChars);
    hits.push({
      seq: entry.seq,
      count: low.split(needle).length - 1,
      excerpt: text
        .slice(start, first + needle.length + excerptContextChars)
        .replace(/\s+/g, " ")
        .trim(),
    });
  }
  return { hits, more: false };
}

/** Searchable text of an entry: message text, targets and outputs of its calls; the summary of a compaction. */
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
