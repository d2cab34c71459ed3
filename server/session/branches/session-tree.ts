/**
 * Builds a session's tree of branches, one node per run of every branch, from the server's view, which has them all.
 */
import { iterate } from "@/lib/view/chunks";
import { joinTextBlocks } from "@/lib/events/content";
import { plainMarkdownLine } from "@/lib/text/plain-markdown";
import type { SessionTree, TreeNode } from "@/lib/view/tree";
import { findUserCommand, formatUserCommand } from "@/lib/events/user-command";
import { type Entry, type MessageEntry, pathRanges, type SessionView } from "@/lib/view/view";

/** Characters of a message shown in the session tree. */
const treeTextMaxChars = 200;
/** The same for an answer. */
const treeAnswerMaxChars = 120;

type MutableNode = { -readonly [K in keyof TreeNode]: TreeNode[K] } & { paths: Set<string>; named: boolean };

export function buildSessionTree(view: SessionView, forks: SessionTree["forks"]): SessionTree {
  const ranges = pathRanges(view.segments, view.newest);
  const grown = buildNodes(view);
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
function buildNodes(view: SessionView): readonly MutableNode[] {
  const nodes: MutableNode[] = [];
  const rewound = new Map(view.segments.map(({ start, parent }) => [start, parent]));
  /** For each entry the run it belongs to or follows. */
  const places: { readonly seq: number; readonly node: MutableNode | null }[] = [];
  let current: MutableNode | null = null;
  for (const entry of iterate(view.entries)) {
    const back = rewound.get(entry.seq);
    if (back !== undefined) current = findNodeAtBorder(places, back);
    if (entry.kind === "run_start") {
      current = makeNode(entry, current);
      nodes.push(current);
    } else if (current !== null) addEntry(current, entry);
    places.push({ seq: entry.seq, node: current });
  }
  return nodes;
}

/** The run that a border ends or follows; null = none precedes it. */
function findNodeAtBorder(
  places: readonly { readonly seq: number; readonly node: MutableNode | null }[],
  border: number,
) {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.seq ?? 0) <= border) low = middle + 1;
    else high = middle;
  }
  return places[low - 1]?.node ?? null;
}

const makeNode = (
  { seq, from, at, model }: Extract<Entry, { kind: "run_start" }>,
  before: MutableNode | null,
): MutableNode => ({
  seq,
  from,
  to: null,
  parent: before?.seq ?? null,
  place: seq,
  at,
  text: "",
  model,
  calls: 0,
  files: 0,
  added: 0,
  removed: 0,
  onPath: false,
  paths: new Set(),
  named: false,
});

/** Adds an entry to its run. Entries after the run's end belong to no run and change nothing. */
function addEntry(node: MutableNode, entry: Entry): void {
  if (node.to !== null) return;
  if (entry.kind === "run_end") {
    node.to = entry.seq;
    node.end = entry.reason;
  } else if (entry.kind === "message") addMessage(node, entry);
}

function addMessage(node: MutableNode, entry: MessageEntry): void {
  if (entry.role === "user" && !node.named) {
    node.named = true;
    node.place = entry.seq;
    node.text = firstCharacters(entryText(entry), treeTextMaxChars);
  }
  if (entry.role === "assistant") {
    const answer = firstCharacters(entryText(entry), treeAnswerMaxChars);
    if (answer !== "") node.answer = answer;
  }
  node.calls += entry.calls.length;
  for (const { path, added, removed } of entry.calls.flatMap((call) => call.changes ?? [])) {
    node.paths.add(path);
    node.added += added;
    node.removed += removed;
  }
}

function entryText(entry: MessageEntry): string {
  const command = findUserCommand(entry);
  if (command !== null) return formatUserCommand(command);
  return joinTextBlocks(entry.blocks.flatMap((block) => (block.type === "input" ? [] : [block])));
}

/**
 * Beginning of the text on one line, without its Markdown; a character that would be cut in half is left out. Only the
 * start of a long text is processed.
 */
export const firstCharacters = (text: string, maxChars: number): string =>
  plainMarkdownLine(text.trimStart().slice(0, 4 * maxChars))
    .slice(0, maxChars)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trim();
