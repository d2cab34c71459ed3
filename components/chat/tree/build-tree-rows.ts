/** Computes the rows of the tree: order, depth and rails. Pure. */
import type { SessionTree, TreeNode } from "@/lib/view/tree";

/** Position of a row among the rails. */
interface TreeRowPosition {
  /** One item for each rail to the left of the own rail: whether the rail continues below this row. */
  readonly rails: readonly boolean[];
  /** It is the first row of a side branch and connects to the rail beside it. */
  readonly startsBranch: boolean;
  /** Nothing follows on its own rail. */
  readonly endsBranch: boolean;
}

export interface SessionTreeRow extends TreeRowPosition {
  /** null = the start of the session. */
  readonly node: TreeNode | null;
  /** seq that going to this row rewinds to; null = the run is open. */
  readonly to: number | null;
  /** Number of rails before its own. */
  readonly depth: number;
  /** The session's current position is in this row. */
  readonly isCurrent: boolean;
  readonly forks: SessionTree["forks"];
}

/**
 * Returns the rows in display order. The main branch is straight: the one on the session's path, else the newest. All
 * other branches come before it, indented.
 */
export function buildTreeRows({ nodes, newest, forks }: SessionTree): readonly SessionTreeRow[] {
  const children = new Map<number | null, TreeNode[]>();
  for (const node of nodes) children.set(node.parent, [...(children.get(node.parent) ?? []), node]);
  const rows: SessionTreeRow[] = [
    toTreeRow(null, { rails: [], startsBranch: false, endsBranch: nodes.length === 0 }, newest, forks),
  ];
  /** Pending rows, the next one last: an explicit stack, since deep sessions would overflow a recursion. */
  const left: { readonly node: TreeNode; readonly rails: readonly boolean[]; readonly leaves: boolean }[] = [];
  const put = (parent: number | null, rails: readonly boolean[]): void => {
    const all = children.get(parent) ?? [];
    const main = all.findLast((node) => node.onPath) ?? all.at(-1);
    if (main === undefined) return;
    left.push({ node: main, rails, leaves: false });
    for (const side of all.toReversed())
      if (side !== main) left.push({ node: side, rails: [...rails, true], leaves: true });
  };
  put(null, []);
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, rails, leaves } = next;
    rows.push(toTreeRow(node, { rails, startsBranch: leaves, endsBranch: !children.has(node.seq) }, newest, forks));
    put(node.seq, rails);
  }
  return rows;
}

function toTreeRow(
  node: TreeNode | null,
  position: TreeRowPosition,
  newest: number,
  forks: SessionTree["forks"],
): SessionTreeRow {
  const to = node === null ? 0 : node.to;
  const last = node === null ? 0 : (node.to ?? Number.POSITIVE_INFINITY);
  const first = node === null ? 0 : node.seq;
  const isIn = (seq: number): boolean => seq >= first && seq <= last;
  return {
    node,
    to,
    depth: position.rails.length,
    ...position,
    isCurrent: isIn(newest),
    forks: forks.filter(({ atSeq }) => isIn(atSeq)),
  };
}
