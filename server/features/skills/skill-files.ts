/** The files of a skill's folder: their list, and the text of one. Nothing outside the folder is read. */
import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { isAbsolute, join, normalize, relative } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { openedPath } from "@/server/workspace/files/file-handle";
import { isInFolder } from "@/server/base/is-in-folder";

/** Files that are listed. */
const listedMax = 200;
const depthMax = 4;
const foldersMax = 200;
/** Largest file that is read. */
const fileMaxBytes = 262_144;

const skippedNames = new Set([".git", "node_modules", ".DS_Store"]);

export interface SkillFiles {
  /** Relative paths, files of a folder before its folders. SKILL.md is left out. */
  readonly files: readonly string[];
  /** Files that are not listed; those too deep, and behind links, do not count. */
  readonly more: number;
}

/**
 * Whether the folder is still where it was found: a link in its place, or in that of a folder above it, could lead
 * anywhere. `folder` = without links when it was found.
 */
const isInPlace = async (folder: string): Promise<boolean> => (await realpath(folder).catch(() => null)) === folder;

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
  if (await isInPlace(folder)) await walk(folder, 0);
  return { files, more };
}

/**
 * Reads a file of a folder whose real path is inside it; `folder` = without links. Fails with bad_path, outside (also for
 * a link that leads out, and for one in the place of the folder), not_found, not_a_file, too_large (facts: limit).
 */
export async function readFileInside(
  folder: string,
  path: string,
  maxBytes = fileMaxBytes,
): Promise<Result<Uint8Array>> {
  const plain = normalize(path);
  if (path === "" || path.includes("\0")) return fail("bad_path");
  if (isAbsolute(plain) || plain.startsWith("..")) return fail("outside");
  const real = await realpath(join(folder, plain)).catch(() => null);
  if (real === null) return fail("not_found");
  if (!isInFolder(real, folder) || !(await isInPlace(folder))) return fail("outside");
  try {
    const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      // A folder may have been replaced by a link since the path was resolved: what counts is what was opened.
      const opened = await openedPath(file, real);
      if (opened === null || !isInFolder(opened, folder)) return fail("outside");
      const stats = await file.stat();
      if (!stats.isFile()) return fail("not_a_file");
      if (stats.size > maxBytes) return fail("too_large", undefined, { limit: maxBytes });
      // The file may grow while it is read.
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
      return ok(buffer.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  } catch {
    return fail("not_found");
  }
}
