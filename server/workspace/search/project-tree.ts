/** Formats the project as a text tree, bounded in depth, entries and time; does not follow links. */
import type { Dirent } from "node:fs";
import { lstat } from "node:fs/promises";
import { ok, type Result } from "@/lib/events/error";
import { serverLimits } from "@/lib/settings/server-limits";
import { formatFileName } from "@/lib/text/format-file-name";
import { isProtectedPath, type SafePath } from "@/server/security/paths/safe-path";
import { catchFileErrors } from "../files/file-errors";
import { withOpenFolder } from "../files/file-handle";
import { type FirstFolderEntries, readFirstEntries } from "../files/folders/folder-entries";
import { type IgnoreRules, loadUnignoredRules, type ProjectPolicy } from "./ignore-rules";

/** Maximum lines of the project tree. */
const treeEntries = 2_000;

export interface TreeOptions {
  /** Levels below `path`: 1 is the folder itself. 1 to serverLimits.lsDepth. */
  readonly depth: number;
  /** Maximum entries per folder; default: serverLimits.lsEntries. */
  readonly perFolder?: number;
  /** Maximum entries in total; default: treeEntries. */
  readonly maxEntries?: number;
  /** Default: serverLimits.treeWalkMs. */
  readonly timeoutMs?: number;
}

interface ProjectTree {
  /** One entry per line, two spaces per level, folders first and with a slash, file sizes; "" for an empty folder. */
  readonly text: string;
  /** Number of entries in `text`. */
  readonly entries: number;
  /** Whether a limit other than `depth` left something out. */
  readonly more: boolean;
}

/** A folder still to be read, and the node of its lines. */
interface PendingFolder {
  readonly absolute: string;
  readonly relative: string;
  readonly level: number;
  readonly rules: IgnoreRules | null;
  readonly node: ProjectTreeNode;
}

interface ProjectTreeNode {
  readonly line: string;
  readonly children: ProjectTreeNode[];
}

/**
 * Draws the tree of a folder. Walks breadth first, so that a limit cuts deep levels and never whole top folders.
 * Respects .gitignore unless `path` itself is ignored. Fails with not_found, not_folder, no_permission,
 * changed_meanwhile; an abort or the time limit ends it with the entries so far.
 */
export async function drawTree(
  policy: ProjectPolicy,
  path: SafePath,
  options: TreeOptions,
  signal: AbortSignal,
): Promise<Result<ProjectTree>> {
  const { perFolder = serverLimits.lsEntries, maxEntries = treeEntries, timeoutMs = serverLimits.treeWalkMs } = options;
  const depth = Math.max(1, Math.min(options.depth, serverLimits.lsDepth));
  const deadline = performance.now() + timeoutMs;
  const root: ProjectTreeNode = { line: "", children: [] };
  const rules = await loadUnignoredRules(policy, path.relative);
  const pending: PendingFolder[] = [{ absolute: path.absolute, relative: path.relative, level: 1, rules, node: root }];
  let entries = 0;
  let more = false;
  for (let branch = pending.shift(); branch !== undefined; branch = pending.shift()) {
    const limit = Math.min(perFolder, maxEntries - entries);
    if (limit <= 0 || signal.aborted || performance.now() > deadline) {
      branch.node.children.push({ line: "...", children: [] });
      more = true;
      continue;
    }
    const current = branch;
    const read = await catchFileErrors(current.relative, () => readPendingFolder(policy, path, current, limit));
    if (!read.ok) {
      if (current.node === root) return read;
      current.node.children.push({ line: "... (cannot be read)", children: [] });
      continue;
    }
    entries += read.value.entries;
    more ||= read.value.more;
    if (current.level < depth) pending.push(...read.value.folders);
  }
  return ok({ text: formatTreeLines(root, "").join("\n"), entries, more });
}

interface FolderRead {
  readonly folders: readonly PendingFolder[];
  readonly entries: number;
  readonly more: boolean;
}

async function readPendingFolder(
  policy: ProjectPolicy,
  path: SafePath,
  branch: PendingFolder,
  limit: number,
): Promise<Result<FolderRead>> {
  return withOpenFolder(branch.absolute, async (folder) => {
    const found = await readFirstEntries(folder, limit, (entry) => isEntryShown(policy, path, branch, entry));
    const folders: PendingFolder[] = [];
    for (const entry of found.entries) {
      const node: ProjectTreeNode = { line: await formatTreeLine(folder, entry), children: [] };
      branch.node.children.push(node);
      if (!entry.isDirectory()) continue;
      folders.push({
        absolute: `${branch.absolute === "/" ? "" : branch.absolute}/${entry.name}`,
        relative: joinRelative(branch.relative, entry.name),
        level: branch.level + 1,
        rules: branch.rules && (await branch.rules.enter(entry.name)),
        node,
      });
    }
    const more = found.moreFolders + found.moreFiles > 0;
    if (more) branch.node.children.push({ line: formatOmittedLine(found), children: [] });
    return ok({ folders, entries: found.entries.length, more });
  });
}

const joinRelative = (folder: string, name: string): string => (folder === "." ? name : `${folder}/${name}`);

function isEntryShown(policy: ProjectPolicy, path: SafePath, branch: PendingFolder, entry: Dirent): boolean {
  const relative = joinRelative(branch.relative, entry.name);
  if (path.by === "model" ? isProtectedPath(relative, policy) : entry.name === ".git") return false;
  return !branch.rules?.ignores(entry.name, entry.isDirectory());
}

async function formatTreeLine(folder: string, entry: Dirent): Promise<string> {
  const name = formatFileName(entry.name);
  if (entry.isDirectory()) return `${name}/`;
  if (entry.isSymbolicLink()) return `${name} (link)`;
  if (!entry.isFile()) return `${name} (special)`;
  const stats = await lstat(`${folder}/${entry.name}`).catch(() => null);
  return stats === null ? name : `${name} (${formatBinarySize(stats.size)})`;
}

function formatOmittedLine({ moreFolders: folders, moreFiles: files }: FirstFolderEntries): string {
  const parts = [
    ...(folders > 0 ? [formatCount(folders, "folder")] : []),
    ...(files > 0 ? [formatCount(files, "file")] : []),
  ];
  return `... (${parts.join(", ")})`;
}

const formatCount = (count: number, noun: string): string => `${count} more ${noun}${count === 1 ? "" : "s"}`;

/** Formats a byte count: `512 B`, `1.5 KB`, `20 MB`; powers of 1024. */
export function formatBinarySize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const rounded = unit > 0 && size < 9.95 ? size.toFixed(1).replace(/\.0$/, "") : String(Math.round(size));
  return `${rounded} ${units[unit] ?? ""}`;
}

function formatTreeLines(node: ProjectTreeNode, indent: string): readonly string[] {
  return node.children.flatMap((child) => [`${indent}${child.line}`, ...formatTreeLines(child, `${indent}  `)]);
}
