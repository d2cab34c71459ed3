/** Formats the project as a text tree, bounded in depth, entries and time; does not follow links (R36). */
import type { Dirent } from "node:fs";
import { lstat } from "node:fs/promises";
import { ok, type Result } from "@/lib/error";
import { limits } from "@/lib/settings";
import { shownName } from "@/lib/text/shown-name";
import { isProtectedPath, type SafePath } from "../security/paths";
import { asResult } from "./file-errors";
import { withFolder } from "./file-handle";
import { type FirstEntries, firstEntries } from "./folder-entries";
import { type IgnoreRules, ignoreRules, isIgnored, type ProjectPolicy } from "./ignore-rules";

export interface TreeOptions {
  /** Levels below `path`: 1 is the folder itself. 1 to limits.lsDepth. */
  readonly depth: number;
  /** Maximum entries per folder; default: limits.lsEntries. */
  readonly perFolder?: number;
  /** Maximum entries in total; default: limits.treeEntries. */
  readonly maxEntries?: number;
  /** Default: limits.treeWalkMs. */
  readonly timeoutMs?: number;
}

export interface ProjectTree {
  /** One entry per line, two spaces per level, folders first and with a slash, file sizes; "" for an empty folder. */
  readonly text: string;
  /** Number of entries in `text`. */
  readonly entries: number;
  /** Whether a limit other than `depth` left something out. */
  readonly more: boolean;
}

/** A folder still to be read, and the node of its lines. */
interface Branch {
  readonly absolute: string;
  readonly relative: string;
  readonly level: number;
  readonly rules: IgnoreRules | null;
  readonly node: Node;
}

interface Node {
  readonly line: string;
  readonly children: Node[];
}

/**
 * Draws the tree of a folder. Walks breadth first, so that a limit cuts deep levels and never whole top folders.
 * Respects .gitignore unless `path` itself is ignored. Fails with not_found, not_folder, no_permission,
 * changed_meanwhile; an abort or the time limit ends it with the entries so far.
 */
export async function projectTree(
  policy: ProjectPolicy,
  path: SafePath,
  options: TreeOptions,
  signal: AbortSignal,
): Promise<Result<ProjectTree>> {
  const { perFolder = limits.lsEntries, maxEntries = limits.treeEntries, timeoutMs = limits.treeWalkMs } = options;
  const depth = Math.max(1, Math.min(options.depth, limits.lsDepth));
  const deadline = performance.now() + timeoutMs;
  const root: Node = { line: "", children: [] };
  const isPathIgnored = path.relative !== "." && (await isIgnored(policy, path.relative, true));
  const rules = isPathIgnored ? null : await ignoreRules(policy, path.relative);
  const pending: Branch[] = [{ absolute: path.absolute, relative: path.relative, level: 1, rules, node: root }];
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
    const read = await asResult(current.relative, () => readBranch(policy, path, current, limit));
    if (!read.ok) {
      if (current.node === root) return read;
      current.node.children.push({ line: "... (cannot be read)", children: [] });
      continue;
    }
    entries += read.value.entries;
    more ||= read.value.more;
    if (current.level < depth) pending.push(...read.value.folders);
  }
  return ok({ text: drawn(root, "").join("\n"), entries, more });
}

interface BranchRead {
  readonly folders: readonly Branch[];
  readonly entries: number;
  readonly more: boolean;
}

async function readBranch(
  policy: ProjectPolicy,
  path: SafePath,
  branch: Branch,
  limit: number,
): Promise<Result<BranchRead>> {
  return withFolder(branch.absolute, async (folder) => {
    const found = await firstEntries(folder, limit, (entry) => isShown(policy, path, branch, entry));
    const folders: Branch[] = [];
    for (const entry of found.entries) {
      const node: Node = { line: await lineOf(folder, entry), children: [] };
      branch.node.children.push(node);
      if (!entry.isDirectory()) continue;
      folders.push({
        absolute: `${branch.absolute === "/" ? "" : branch.absolute}/${entry.name}`,
        relative: below(branch.relative, entry.name),
        level: branch.level + 1,
        rules: branch.rules && (await branch.rules.enter(entry.name)),
        node,
      });
    }
    const more = found.moreFolders + found.moreFiles > 0;
    if (more) branch.node.children.push({ line: restLine(found), children: [] });
    return ok({ folders, entries: found.entries.length, more });
  });
}

const below = (folder: string, name: string): string => (folder === "." ? name : `${folder}/${name}`);

function isShown(policy: ProjectPolicy, path: SafePath, branch: Branch, entry: Dirent): boolean {
  const relative = below(branch.relative, entry.name);
  if (path.by === "model" ? isProtectedPath(relative, policy) : entry.name === ".git") return false;
  return !branch.rules?.ignores(entry.name, entry.isDirectory());
}

async function lineOf(folder: string, entry: Dirent): Promise<string> {
  const name = shownName(entry.name);
  if (entry.isDirectory()) return `${name}/`;
  if (entry.isSymbolicLink()) return `${name} (link)`;
  if (!entry.isFile()) return `${name} (special)`;
  const stats = await lstat(`${folder}/${entry.name}`).catch(() => null);
  return stats === null ? name : `${name} (${sizeText(stats.size)})`;
}

function restLine({ moreFolders: folders, moreFiles: files }: FirstEntries): string {
  const parts = [...(folders > 0 ? [counted(folders, "folder")] : []), ...(files > 0 ? [counted(files, "file")] : [])];
  return `... (${parts.join(", ")})`;
}

const counted = (count: number, noun: string): string => `${count} more ${noun}${count === 1 ? "" : "s"}`;

/** Formats a byte count: `512 B`, `1.5 KB`, `20 MB`; powers of 1024. */
export function sizeText(bytes: number): string {
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

function drawn(node: Node, indent: string): readonly string[] {
  return node.children.flatMap((child) => [`${indent}${child.line}`, ...drawn(child, `${indent}  `)]);
}
