/** The project as a text tree for the ls tool and the session's snapshot: bounded in depth, entries and time, no links followed (R36). */
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
  /** Entries shown of one folder; limits.lsEntries by default. */
  readonly perFolder?: number;
  /** Entries shown in all; limits.treeEntries by default. */
  readonly maxEntries?: number;
  /** limits.treeWalkMs by default. */
  readonly timeoutMs?: number;
}

export interface ProjectTree {
  /** One entry a line, two spaces a level, folders with a slash and first, sizes of files; "" for an empty folder. */
  readonly text: string;
  /** Entries in `text`. */
  readonly entries: number;
  /** Something was left out because of a bound other than `depth`. */
  readonly more: boolean;
}

/** A folder that is to be read, and where its lines go. */
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
 * Breadth first, so that a bound cuts the depths and never whole top folders. .gitignore is honoured, unless `path` itself
 * is ignored: then it was asked for. Fails with not_found, not_folder, no_permission, changed_meanwhile; an abort and the
 * time limit end it with what is known.
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
  const asked = path.relative !== "." && (await isIgnored(policy, path.relative, true));
  const rules = asked ? null : await ignoreRules(policy, path.relative);
  const pending: Branch[] = [{ absolute: path.absolute, relative: path.relative, level: 1, rules, node: root }];
  let entries = 0;
  let more = false;
  for (let branch = pending.shift(); branch !== undefined; branch = pending.shift()) {
    const room = Math.min(perFolder, maxEntries - entries);
    if (room <= 0 || signal.aborted || performance.now() > deadline) {
      branch.node.children.push({ line: "...", children: [] });
      more = true;
      continue;
    }
    const current = branch;
    const read = await asResult(current.relative, () => readBranch(policy, path, current, room));
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
  room: number,
): Promise<Result<BranchRead>> {
  return withFolder(branch.absolute, async (folder) => {
    const found = await firstEntries(folder, room, (entry) => isShown(policy, path, branch, entry));
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

/** Bytes as a person reads them: `512 B`, `1.5 KB`, `20 MB`; powers of 1024. */
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
