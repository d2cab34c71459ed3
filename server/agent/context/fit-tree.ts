/**
 * Cuts the project tree to a number of tokens: whole upper levels first, then as many entries of each folder as fit,
 * so that no folder uses up the budget alphabetically. Pure.
 */
import { estimateTokens } from "@/lib/text/estimate-tokens";

interface SnapshotTreeNode {
  readonly name: string;
  readonly depth: number;
  readonly children: SnapshotTreeNode[];
  /** Number of children shown; the others are counted. */
  shownCount: number;
}

/** Fewer entries of a folder than this are not informative. */
const shownEntriesMin = 4;

/** `text` is indented by two spaces per level. Returns "" if not even one entry fits. */
export function fitTree(text: string, maxTokens: number): string {
  if (estimateTokens(text) <= maxTokens) return text;
  const root = parseTree(text);
  let left = maxTokens - safetyTokens;
  for (let folders = [root]; folders.length > 0; folders = shownFolders(folders)) {
    const most = Math.max(...folders.map((folder) => folder.children.length));
    const share = findLargest(most, (count) => countLevelTokens(folders, count) <= left);
    if (share < most && share < shownEntriesMin && folders[0] !== root) break;
    for (const folder of folders) folder.shownCount = Math.min(share, folder.children.length);
    left -= countLevelTokens(folders, share);
  }
  return root.shownCount === 0 ? "" : treeLines(root).join("\n");
}

/** Margin for rounding errors of sums. */
const safetyTokens = 4;

function parseTree(text: string): SnapshotTreeNode {
  const root: SnapshotTreeNode = { name: "", depth: -1, children: [], shownCount: 0 };
  const path: SnapshotTreeNode[] = [root];
  for (const line of text.split("\n")) {
    // File names may begin with spaces, too.
    const spaces = /^ */.exec(line)?.[0].length ?? 0;
    const depth = Math.min(Math.floor(spaces / 2), path.length - 1);
    const node: SnapshotTreeNode = { name: line.slice(depth * 2), depth, children: [], shownCount: 0 };
    path.length = depth + 1;
    path.at(-1)?.children.push(node);
    path.push(node);
  }
  return root;
}

const shownFolders = (folders: readonly SnapshotTreeNode[]): SnapshotTreeNode[] =>
  folders.flatMap((folder) => folder.children.slice(0, folder.shownCount)).filter((node) => node.children.length > 0);

const indentLine = (name: string, depth: number): string => `${"  ".repeat(depth)}${name}`;

/** Tokens of the first `count` entries of each folder, including the line for the rest. */
const countLevelTokens = (folders: readonly SnapshotTreeNode[], count: number): number =>
  folders.reduce((sum, folder) => sum + countLineTokens(levelLines(folder, count)), 0);

const countLineTokens = (parts: readonly string[]): number =>
  parts.length === 0 ? 0 : estimateTokens(`${parts.join("\n")}\n`);

const levelLines = ({ children, depth }: SnapshotTreeNode, count: number): readonly string[] => {
  if (count === 0) return [];
  const rest = children.slice(count);
  const shown = children.slice(0, count).map((child) => child.name);
  return [...shown, ...(rest.length === 0 ? [] : [formatRest(rest)])].map((name) => indentLine(name, depth + 1));
};

/** `... (1 more folder, 25 more files)`; includes the numbers of such lines among `rest`. */
function formatRest(rest: readonly SnapshotTreeNode[]): string {
  let folders = 0;
  let files = 0;
  for (const { name } of rest) {
    if (name.startsWith("...")) {
      folders += Number(/(\d+) more folder/.exec(name)?.[1] ?? 0);
      files += Number(/(\d+) more file/.exec(name)?.[1] ?? 0);
    } else if (name.endsWith("/")) folders += 1;
    else files += 1;
  }
  const parts = [formatMoreCount(folders, "folder"), formatMoreCount(files, "file")].filter((part) => part !== "");
  return parts.length === 0 ? "..." : `... (${parts.join(", ")})`;
}

const formatMoreCount = (count: number, noun: string): string =>
  count === 0 ? "" : `${count} more ${noun}${count === 1 ? "" : "s"}`;

function treeLines(folder: SnapshotTreeNode): readonly string[] {
  if (folder.shownCount === 0) return [];
  const names = levelLines(folder, folder.shownCount);
  return names.flatMap((name, index) => {
    const child = index < folder.shownCount ? folder.children[index] : undefined;
    return child === undefined ? [name] : [name, ...treeLines(child)];
  });
}

/** The largest number from 0 to `most` that passes, given that every smaller one does. */
function findLargest(most: number, passes: (count: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (passes(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
