/** Finds the folders with a SKILL.md below a folder of skills. Links that lead out of it are not followed. */
import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { SkillPlaceWarning } from "@/lib/tools/skills";
import { isInFolder } from "@/server/base/is-in-folder";

/** Levels of folders below the folder of skills. */
const maxDepth = 4;
const maxFolders = 2_000;
export const maxSkills = 200;

const skippedNames = new Set([".git", "node_modules"]);

export interface SkillFile {
  /** Its folder, as it was found, and the file in it. */
  readonly folder: string;
  /** The folder without links. */
  readonly realFolder: string;
  readonly file: string;
  /** Changes with the file. */
  readonly version: string;
  readonly bytes: number;
}

interface FoundSkills {
  /** The folder's real path; null = it does not exist. */
  readonly root: string | null;
  /** Ordered by path. */
  readonly skills: readonly SkillFile[];
  readonly warnings: readonly SkillPlaceWarning[];
}

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Whether a name means the file of a skill; file systems differ about case. */
const isSkillFile = (name: string): boolean => name.toLowerCase() === "skill.md";

/**
 * Lists the skills of a folder. `within` = the folder that it must not lead out of; null = it may be a link. `others` =
 * real paths of further folders of skills: what a link to them leads to is found there. Rejects when the signal fires.
 */
export async function findSkills(
  path: string,
  within: string | null,
  others: readonly string[],
  signal: AbortSignal,
): Promise<FoundSkills> {
  const root = await realpath(path).catch(() => null);
  if (root === null) return { root: null, skills: [], warnings: [] };
  if (within !== null && !isInFolder(root, within)) return { root, skills: [], warnings: [{ kind: "link", path }] };
  const skills: SkillFile[] = [];
  const warnings: SkillPlaceWarning[] = [];
  const warn = (warning: SkillPlaceWarning): void => {
    if (!warnings.some(({ kind }) => kind === warning.kind && kind !== "link")) warnings.push(warning);
  };
  /** Whether a link leads to something that is found elsewhere. */
  const checkLink = async (link: string): Promise<string | null> => {
    const target = await realpath(link).catch(() => null);
    if (target !== null && isInFolder(target, root)) return target;
    if (target === null || !others.some((other) => isInFolder(target, other))) warn({ kind: "link", path: link });
    return null;
  };
  const addSkill = async (folder: string, entry: Dirent): Promise<void> => {
    const file = join(folder, entry.name);
    if (entry.isSymbolicLink()) {
      const [target, own] = [await checkLink(file), await realpath(folder).catch(() => null)];
      if (target === null || own === null) return;
      if (!isInFolder(target, own)) return warn({ kind: "link", path: file });
    }
    const stats = await stat(file, { bigint: true }).catch(() => null);
    if (stats === null) return;
    if (skills.length >= maxSkills) return warn({ kind: "too_many_skills", path: folder, limit: maxSkills });
    const version = `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
    // No link is followed below the root.
    const realFolder = join(root, relative(path, folder));
    skills.push({ folder, realFolder, file, version, bytes: Number(stats.size) });
  };
  let folders = 0;
  const walk = async (folder: string, depth: number): Promise<void> => {
    signal.throwIfAborted();
    folders += 1;
    if (folders > maxFolders) return warn({ kind: "too_many_folders", path: folder, limit: maxFolders });
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
    if (entries === null) return warn({ kind: "unreadable_folder", path: folder });
    const file = findSkillFile(entries);
    if (file !== undefined && depth === 0) warn({ kind: "loose_file", path: join(folder, file.name) });
    else if (file !== undefined) return addSkill(folder, file);
    for (const entry of entries.toSorted((one, other) => compareText(one.name, other.name))) {
      const inner = join(folder, entry.name);
      if (skippedNames.has(entry.name)) continue;
      // The target of a link inside the folder is found at its own path.
      if (entry.isSymbolicLink()) await checkLink(inner);
      else if (entry.isDirectory()) {
        if (depth < maxDepth) await walk(inner, depth + 1);
        else warn({ kind: "too_deep", path: inner, limit: maxDepth });
      }
    }
  };
  await walk(path, 0);
  return { root, skills, warnings };
}

const findSkillFile = (entries: readonly Dirent[]): Dirent | undefined =>
  entries.find(({ name }) => name === "SKILL.md") ??
  entries.find((entry) => isSkillFile(entry.name) && !entry.isDirectory());
