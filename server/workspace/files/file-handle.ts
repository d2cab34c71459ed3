/**
 * Opens exactly the file a SafePath names: its folder is held by a handle, the last component is never followed.
 */
import { constants, existsSync, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { SafePath } from "@/server/security/paths/safe-path";
import { catchFileErrors, FileRefusal } from "./file-errors";
import type { FileInfo } from "../workspace";

const descriptorFolder = "/proc/self/fd";
const hasDescriptorPaths = process.platform === "linux" && existsSync(descriptorFolder);

/**
 * Calls `work` with a path of the folder that stays valid even if a parent is replaced by a link: on Linux the
 * handle's own path, elsewhere the real path as verified now. Throws a Refusal with changed_meanwhile if `absolute`
 * is no longer the real path.
 */
export async function withOpenFolder<T>(absolute: string, work: (folder: string) => Promise<T>): Promise<T> {
  const handle = await open(absolute, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const byHandle = `${descriptorFolder}/${handle.fd}`;
    const real = hasDescriptorPaths ? await readlink(byHandle) : await realpath(absolute);
    if (real !== absolute) throw new FileRefusal(fail("changed_meanwhile", undefined, { path: absolute }));
    return await work(hasDescriptorPaths ? byHandle : absolute);
  } finally {
    await handle.close();
  }
}

/** Calls `work` with a path of the entry that is safe against replaced parents (see withOpenFolder). */
export async function withEntryPath<T>(
  path: SafePath,
  work: (place: string, folder: string) => Promise<T>,
): Promise<T> {
  const name = posix.basename(path.absolute);
  return withOpenFolder(posix.dirname(path.absolute), (folder) => work(`${folder}/${name}`, folder));
}

/**
 * The real path of an open file: on Linux that of the handle, elsewhere that of `path` if it still leads to the same
 * file. null = unknown.
 */
export async function openedPath(handle: FileHandle, path: string): Promise<string | null> {
  try {
    if (hasDescriptorPaths) return await readlink(`${descriptorFolder}/${handle.fd}`);
    const real = await realpath(path);
    const [own, named] = [await handle.stat(), await lstat(real)];
    return own.dev === named.dev && own.ino === named.ino ? real : null;
  } catch {
    return null;
  }
}

/**
 * Opens a regular file for reading without blocking; throws a Refusal with is_folder or not_a_file for anything else.
 */
export async function withOpenFile<T>(
  path: SafePath,
  work: (handle: FileHandle, stats: Stats) => Promise<T>,
): Promise<T> {
  return withEntryPath(path, async (place) => {
    // Opening a device can have side effects, so the kind is checked first by path and again by handle.
    const seen = await lstat(place);
    refuseNonFile(seen, path);
    const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      refuseNonFile(stats, path);
      return await work(handle, stats);
    } finally {
      await handle.close();
    }
  });
}

function refuseNonFile(stats: Stats, path: SafePath): void {
  if (stats.isFile()) return;
  const facts = { path: path.relative };
  if (stats.isDirectory()) throw new FileRefusal(fail("is_folder", undefined, facts));
  // A SafePath has its links resolved: a link here was created later, or its target is missing.
  if (stats.isSymbolicLink()) throw new FileRefusal(fail("changed_meanwhile", undefined, facts));
  throw new FileRefusal(fail("not_a_file", undefined, facts));
}

export function statsKind(stats: Pick<Stats, "isFile" | "isDirectory" | "isSymbolicLink">): FileInfo["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}

/**
 * Returns the kind of the entry at a path without following a link. Fails with not_found, no_permission,
 * changed_meanwhile, …
 */
export async function entryKind(path: SafePath): Promise<Result<FileInfo["kind"]>> {
  return catchFileErrors(path.relative, async () => ok(statsKind(await withEntryPath(path, (place) => lstat(place)))));
}
