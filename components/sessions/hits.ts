/** Hits of a search as they are shown: grouped by session, snippets in marked and unmarked pieces. Pure. Used by search-results.tsx. */
import type { SearchHit } from "@/lib/history";
import type { ProjectId, SessionId } from "@/lib/id";

export interface HitGroup {
  readonly sessionId: SessionId;
  readonly projectId: ProjectId;
  readonly title: string;
  /** ms epoch of its newest hit */
  readonly at: number;
  /** The hit in the title itself. */
  readonly inTitle: SearchHit | null;
  readonly hits: readonly SearchHit[];
}

/** In the order of the first hit of each; hits keep their order. */
export function groupHits(hits: readonly SearchHit[]): readonly HitGroup[] {
  const groups = new Map<SessionId, HitGroup>();
  for (const hit of hits) {
    const { sessionId, projectId, title, at } = hit;
    const group = groups.get(sessionId) ?? { sessionId, projectId, title, at, inTitle: null, hits: [] };
    groups.set(sessionId, {
      ...group,
      at: Math.max(group.at, at),
      ...(hit.place === "title" ? { inTitle: hit } : { hits: [...group.hits, hit] }),
    });
  }
  return [...groups.values()];
}

/** Hits with a name of their own each: parallel calls have the same entry and place. The order decides among those. */
export function keyedHits(hits: readonly SearchHit[]): readonly { readonly key: string; readonly hit: SearchHit }[] {
  const seen = new Map<string, number>();
  return hits.map((hit) => {
    const name = `${hit.seq}:${hit.place}`;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return { key: `${name}:${count}`, hit };
  });
}

export interface Piece {
  readonly from: number;
  readonly text: string;
  readonly isMarked: boolean;
}

/** Cut at the marks; what lies outside of the text, upside down or on another mark is left out. UTF-16 units. */
export function piecesOf(text: string, marks: SearchHit["marks"]): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const add = (to: number, isMarked: boolean): void => {
    if (to > at) pieces.push({ from: at, text: text.slice(at, to), isMarked });
    at = Math.max(at, to);
  };
  for (const [from, to] of marks.toSorted((a, b) => a[0] - b[0])) {
    if (from < at || to <= from || to > text.length) continue;
    add(from, false);
    add(to, true);
  }
  add(text.length, false);
  return pieces;
}
