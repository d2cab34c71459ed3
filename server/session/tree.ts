/**
 * Builds a session's tree of branches, one node per run of every branch, from the server's view, which has them all.
 */
import { each } from "@/lib/chunks";
import { textOf } from "@/lib/content";
import { limits } from "@/lib/settings";
import type { SessionTree, TreeNode } from "@/lib/tree";
import { type Entry, type MessageEntry, rangesOf, type SessionView } from "@/lib/view";

type Growing = { -readonly [K in keyof TreeNode]: TreeNode[K] } & { paths: Set<string>; named: boolean };

export function treeOf(view: SessionView, forks: SessionTree["forks"]): SessionTree {
  const ranges = rangesOf(view.segments, view.newest);
  const grown = grow(view);
  const nodes = grown.map(({ paths, named: _named, ...node }): TreeNode => {
    const label = view.labels[node.place] ?? view.labels[node.seq];
    return {
      ...node,
      files: paths.size,
      onPath: ranges.some(([from, to]) => node.seq >= from && node.seq <= to),
      ...(label === undefined ? {} : { label }),
    };
  });
  return { nodes, newest: view.border, forks };
}

/**
 * Builds the nodes in one pass: entries are in log order, and between two rewinds the log is one branch. So the entry
 * before a border is on the border's branch, and the run it belongs to is the parent.
 */
function grow(view: SessionView): readonly Growing[] {
  const nodes: Growing[] = [];
  const rewound = new Map(view.segments.map(({ start, parent }) => [start, parent]));
  /** For each entry the run it belongs to or follows. */
  const places: { readonly seq: number; readonly node: Growing | null }[] = [];
  let current: Growing | null = null;
  for (const entry of each(view.entries)) {
    const back = rewound.get(entry.seq);
    if (back !== undefined) current = nodeAt(places, back);
    if (entry.kind === "run_start") {
      current = begun(entry, current);
      nodes.push(current);
    } else if (current !== null) take(current, entry);
    places.push({ seq: entry.seq, node: current });
  }
  return nodes;
}

/** The run that a border ends or follows; null = none precedes it. */
function nodeAt(places: readonly { readonly seq: number; readonly node: Growing | null }[], border: number) {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.seq ?? 0) <= border) low = middle + 1;
    else high = middle;
  }
  return places[low - 1]?.node ?? null;
}

const begun = ({ seq, from, at, model }: Extract<Entry, { kind: "run_start" }>, before: Growing | null): Growing => ({
  seq,
  from,
  to: null,
  parent: before?.seq ?? null,
  place: seq,
  at,
  text: "",
  ...(model === undefined ? {} : { model }),
  calls: 0,
  files: 0,
  added: 0,
  removed: 0,
  onPath: false,
  paths: new Set(),
  named: false,
});

/** Adds an entry to its run. Entries after the run's end belong to no run and change nothing. */
function take(node: Growing, entry: Entry): void {
  if (node.to !== null) return;
  if (entry.kind === "run_end") {
    node.to = entry.seq;
    node.end = entry.reason;
  } else if (entry.kind === "message") takeMessage(node, entry);
}

function takeMessage(node: Growing, entry: MessageEntry): void {
  if (entry.role === "user" && !node.named) {
    node.named = true;
    node.place = entry.seq;
    node.text = wordsOf(entry).trim().slice(0, limits.treeTextMaxChars);
  }
  if (entry.role === "assistant") {
    const answer = startOf(wordsOf(entry), limits.treeAnswerMaxChars);
    if (answer !== "") node.answer = answer;
  }
  node.calls += entry.calls.length;
  for (const { path, added, removed } of entry.calls.flatMap((call) => call.changes ?? [])) {
    node.paths.add(path);
    node.added += added;
    node.removed += removed;
  }
}

const wordsOf = ({ blocks }: MessageEntry): string =>
  textOf(blocks.flatMap((block) => (block.type === "input" ? [] : [block])));

/**
 * Beginning of the text on one line; a character that would be cut in half is left out. Only the start of a long answer
 * is processed.
 */
const startOf = (text: string, maxChars: number): string =>
  text
    .trimStart()
    .slice(0, 4 * maxChars)
    .replace(/\s+/g, " ")
    .slice(0, maxChars)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trim();
