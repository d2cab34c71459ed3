/**
 * Prepares search hits for display: groups them by session and splits snippets into marked and unmarked segments. Pure.
 */
import type { SearchHit } from "@/lib/protocol/history";
import type { ProjectId, SessionId } from "@/lib/events/id";

export interface HitGroup {
  readonly sessionId: SessionId;
  readonly projectId: ProjectId;
  readonly title: string;
  /** ms epoch of the newest hit */
  readonly at: number;
  /** The hit in the title. */
  readonly inTitle: SearchHit | null;
  readonly hits: readonly SearchHit[];
}

/** Groups hits by session, in the order of each session's first hit; hits keep their order. */
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

/** Adds a unique React key to each hit: hits of parallel calls share entry and place and are numbered in order. */
export function keyedHits(hits: readonly SearchHit[]): readonly { readonly key: string; readonly hit: SearchHit }[] {
  const seen = new Map<string, number>();
  return hits.map((hit) => {
    const name = `${hit.seq}:${hit.place}`;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return { key: `${name}:${count}`, hit };
  });
}

interface SnippetSegment {
  readonly from: number;
  readonly text: string;
  readonly isMarked: boolean;
}

/**
 * Splits the text at its marks; marks that are out of range, inverted or overlapping are ignored. Offsets in UTF-16
 * units.
 */
export function splitSnippet(text: string, marks: SearchHit["marks"]): readonly SnippetSegment[] {
  const segments: SnippetSegment[] = [];
  let at = 0;
  const add = (to: number, isMarked: boolean): void => {
    if (to > at) segments.push({ from: at, text: text.slice(at, to), isMarked });
    at = Math.max(at, to);
  };
  for (const [from, to] of marks.toSorted((a, b) => a[0] - b[0])) {
    if (from < at || to <= from || to > text.length) continue;
    add(from, false);
    add(to, true);
  }
  add(text.length, false);
  return segments;
}
