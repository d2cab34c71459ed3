/**
 * Cuts the project tree to a number of tokens: whole upper levels first, then as many entries of each folder as fit,
 * so that no folder uses up the budget alphabetically. Pure.
 */
import { estimateTokens } from "@/lib/text/estimate-tokens";

interface Node {
  readonly name: string;
  readonly depth: number;
  readonly children: Node[];
  /** Number of children shown; the others are counted. */
  told: number;
}

/** Fewer entries of a folder than this are not informative. */
const worthTelling = 4;

/** `text` is indented by two spaces per level. Returns "" if not even one entry fits. */
export function fitTree(text: string, maxTokens: number): string {
  if (estimateTokens(text) <= maxTokens) return text;
  const root = parse(text);
  let left = maxTokens - safetyTokens;
  for (let folders = [root]; folders.length > 0; folders = toldFolders(folders)) {
    const most = Math.max(...folders.map((folder) => folder.children.length));
    const share = largest(most, (count) => costOf(folders, count) <= left);
    if (share < most && share < worthTelling && folders[0] !== root) break;
    for (const folder of folders) folder.told = Math.min(share, folder.children.length);
    left -= costOf(folders, share);
  }
  return root.told === 0 ? "" : lines(root).join("\n");
}

/** Margin for rounding errors of sums. */
const safetyTokens = 4;

function parse(text: string): Node {
  const root: Node = { name: "", depth: -1, children: [], told: 0 };
  const path: Node[] = [root];
  for (const line of text.split("\n")) {
    // File names may begin with spaces, too.
    const spaces = /^ */.exec(line)?.[0].length ?? 0;
    const depth = Math.min(Math.floor(spaces / 2), path.length - 1);
    const node: Node = { name: line.slice(depth * 2), depth, children: [], told: 0 };
    path.length = depth + 1;
    path.at(-1)?.children.push(node);
    path.push(node);
  }
  return root;
}

const toldFolders = (folders: readonly Node[]): Node[] =>
  folders.flatMap((folder) => folder.children.slice(0, folder.told)).filter((node) => node.children.length > 0);

const line = (name: string, depth: number): string => `${"  ".repeat(depth)}${name}`;

/** Tokens of the first `count` entries of each folder, including the line for the rest. */
const costOf = (folders: readonly Node[], count: number): number =>
  folders.reduce((sum, folder) => sum + tokensOf(told(folder, count)), 0);

const tokensOf = (parts: readonly string[]): number =>
  parts.length === 0 ? 0 : estimateTokens(`${parts.join("\n")}\n`);

const told = ({ children, depth }: Node, count: number): readonly string[] => {
  if (count === 0) return [];
  const rest = children.slice(count);
  const shown = children.slice(0, count).map((child) => child.name);
  return [...shown, ...(rest.length === 0 ? [] : [restLine(rest)])].map((name) => line(name, depth + 1));
};

/** `... (1 more folder, 25 more files)`; includes the numbers of such lines among `rest`. */
function restLine(rest: readonly Node[]): string {
  let folders = 0;
  let files = 0;
  for (const { name } of rest) {
    if (name.startsWith("...")) {
      folders += Number(/(\d+) more folder/.exec(name)?.[1] ?? 0);
      files += Number(/(\d+) more file/.exec(name)?.[1] ?? 0);
    } else if (name.endsWith("/")) folders += 1;
    else files += 1;
  }
  const parts = [counted(folders, "folder"), counted(files, "file")].filter((part) => part !== "");
  return parts.length === 0 ? "..." : `... (${parts.join(", ")})`;
}

const counted = (count: number, noun: string): string =>
  count === 0 ? "" : `${count} more ${noun}${count === 1 ? "" : "s"}`;

function lines(folder: Node): readonly string[] {
  if (folder.told === 0) return [];
  const names = told(folder, folder.told);
  return names.flatMap((name, index) => {
    const child = index < folder.told ? folder.children[index] : undefined;
    return child === undefined ? [name] : [name, ...lines(child)];
  });
}

/** The largest number from 0 to `most` that passes, given that every smaller one does. */
function largest(most: number, passes: (count: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (passes(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
