/** Lays out the graph of a log: the lane of each commit, and the lines to its parents. Pure. */
import type { LogCommit } from "./source-history";

/** A line in one half of a row, between two lanes: from the row's top to its middle, or from there to its end. */
export interface GraphLine {
  readonly half: "above" | "below";
  readonly from: number;
  readonly to: number;
}

export interface GraphRow {
  /** The lane of the commit, from 0. */
  readonly lane: number;
  readonly lines: readonly GraphLine[];
  /** Number of lanes of the row. */
  readonly lanes: number;
}

/**
 * Returns the rows of commits in the order of the log. A row follows from those before it alone, so that a page can be appended. The
 * line to a parent stays in one lane until the parent's row; there is none to a parent that came before.
 */
export function layoutGraph(commits: readonly Pick<LogCommit, "id" | "parents">[]): readonly GraphRow[] {
  /** The parent to which the line of each lane leads; null = the lane is free. */
  const lanes: (string | null)[] = [];
  const before = new Set<string>();
  return commits.map(({ id, parents }): GraphRow => {
    const lane = takeLane(lanes, id);
    const lines: GraphLine[] = lanes.flatMap((target, at): readonly GraphLine[] =>
      target === null ? [] : [{ half: "above", from: at, to: target === id ? lane : at }],
    );
    const width = Math.max(lanes.length, lane + 1);
    for (const [at, target] of lanes.entries()) if (target === id) lanes[at] = null;
    before.add(id);
    const passing = lanes.flatMap((target, at): readonly GraphLine[] =>
      target === null ? [] : [{ half: "below", from: at, to: at }],
    );
    const toParents: GraphLine[] = [];
    for (const parent of new Set(parents)) {
      if (before.has(parent)) continue;
      const isOwnFree = (lanes[lane] ?? null) === null && !lanes.includes(parent);
      const at = isOwnFree ? lane : takeLane(lanes, parent);
      lanes[at] = parent;
      toParents.push({ half: "below", from: lane, to: at });
    }
    while (lanes.at(-1) === null) lanes.pop();
    return { lane, lines: [...lines, ...passing, ...toParents], lanes: Math.max(width, lanes.length) };
  });
}

/**
 * Returns commits in an order in which each is before its parents; the others stay where they are. Git orders commits by time, and
 * several may be made within one second.
 */
export function orderByParents<T extends Pick<LogCommit, "id" | "parents">>(commits: readonly T[]): readonly T[] {
  const listed = new Map(commits.map((commit) => [commit.id, commit]));
  /** Children that are not in the result yet. */
  const children = new Map<string, number>();
  for (const { parents } of commits)
    for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  const waiting = new Set<string>();
  const ordered: T[] = [];
  const add = (commit: T): void => {
    ordered.push(commit);
    for (const parent of commit.parents) {
      const left = (children.get(parent) ?? 0) - 1;
      children.set(parent, left);
      const found = left === 0 && waiting.has(parent) ? listed.get(parent) : undefined;
      if (found !== undefined) add(found);
    }
  };
  for (const commit of commits)
    if ((children.get(commit.id) ?? 0) === 0) add(commit);
    else waiting.add(commit.id);
  return ordered;
}

/** Returns the first lane that leads to a commit, else the first free one. */
function takeLane(lanes: readonly (string | null)[], id: string): number {
  const found = lanes.indexOf(id);
  if (found !== -1) return found;
  const free = lanes.indexOf(null);
  return free === -1 ? lanes.length : free;
}
