/** The files of a skill's folder: their list, and the text of one. Nothing outside the folder is read. */
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { isFolderInPlace } from "@/server/workspace/files/read-file-inside";

/** Files that are listed. */
const listedMax = 200;
const depthMax = 4;
const foldersMax = 200;

const skippedNames = new Set([".git", "node_modules", ".DS_Store"]);

interface SkillFiles {
  /** Relative paths, files of a folder before its folders. SKILL.md is left out. */
  readonly files: readonly string[];
  /** Files that are not listed; those too deep, and behind links, do not count. */
  readonly more: number;
}

/**
 * Lists the files of a skill; `folder` = without links, `skillFile` = the name of its SKILL.md. An unreadable folder has
 * none, nor has a link in its place. Rejects when the signal fires.
 */
export async function listSkillFiles(folder: string, skillFile: string, signal: AbortSignal): Promise<SkillFiles> {
  const files: string[] = [];
  let more = 0;
  let folders = 0;
  const walk = async (path: string, depth: number): Promise<void> => {
    signal.throwIfAborted();
    folders += 1;
    if (folders > foldersMax) return;
    const entries = (await readdir(path, { withFileTypes: true }).catch(() => []))
      .filter(({ name }) => !skippedNames.has(name))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    for (const entry of entries.filter((one) => one.isFile())) {
      if (depth === 0 && entry.name === skillFile) continue;
      if (files.length < listedMax) files.push(relative(folder, join(path, entry.name)));
      else more += 1;
    }
    if (depth < depthMax)
      for (const entry of entries) if (entry.isDirectory()) await walk(join(path, entry.name), depth + 1);
  };
  if (await isFolderInPlace(folder)) await walk(folder, 0);
  return { files, more };
}
