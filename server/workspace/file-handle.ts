/**
 * Opens exactly the file a SafePath names: its folder is held by a handle, the last component is never followed
 * (R25).
 */
import { constants, existsSync, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/error";
import type { SafePath } from "../security/paths";
import { asResult, Refusal } from "./file-errors";
import type { FileInfo } from "./workspace";

const handles = "/proc/self/fd";
const hasHandlePaths = process.platform === "linux" && existsSync(handles);

/**
 * Calls `work` with a path of the folder that stays valid even if a parent is replaced by a link: on Linux the
 * handle's own path, elsewhere the real path as verified now. Throws a Refusal with changed_meanwhile if `absolute`
 * is no longer the real path.
 */
export async function withFolder<T>(absolute: string, work: (folder: string) => Promise<T>): Promise<T> {
  const handle = await open(absolute, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const byHandle = `${handles}/${handle.fd}`;
    const real = hasHandlePaths ? await readlink(byHandle) : await realpath(absolute);
    if (real !== absolute) throw new Refusal(fail("changed_meanwhile", undefined, { path: absolute }));
    return await work(hasHandlePaths ? byHandle : absolute);
  } finally {
    await handle.close();
  }
}

/** Calls `work` with a path of the entry that is safe against replaced parents (see withFolder). */
export async function withPlace<T>(path: SafePath, work: (place: string, folder: string) => Promise<T>): Promise<T> {
  const name = posix.basename(path.absolute);
  return withFolder(posix.dirname(path.absolute), (folder) => work(`${folder}/${name}`, folder));
}

/**
 * Opens a regular file for reading without blocking; throws a Refusal with is_folder or not_a_file for anything else.
 */
export async function withFile<T>(path: SafePath, work: (handle: FileHandle, stats: Stats) => Promise<T>): Promise<T> {
  return withPlace(path, async (place) => {
    // Opening a device can have side effects, so the kind is checked first by path and again by handle.
    const seen = await lstat(place);
    refuseNoFile(seen, path);
    const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      refuseNoFile(stats, path);
      return await work(handle, stats);
    } finally {
      await handle.close();
    }
  });
}

function refuseNoFile(stats: Stats, path: SafePath): void {
  if (stats.isFile()) return;
  const facts = { path: path.relative };
  if (stats.isDirectory()) throw new Refusal(fail("is_folder", undefined, facts));
  // A SafePath has its links resolved: a link here was created later, or its target is missing.
  if (stats.isSymbolicLink()) throw new Refusal(fail("changed_meanwhile", undefined, facts));
  throw new Refusal(fail("not_a_file", undefined, facts));
}

export function kindOfStats(stats: Pick<Stats, "isFile" | "isDirectory" | "isSymbolicLink">): FileInfo["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}

/**
 * Returns the kind of the entry at a path without following a link. Fails with not_found, no_permission,
 * changed_meanwhile, …
 */
export async function kindOf(path: SafePath): Promise<Result<FileInfo["kind"]>> {
  return asResult(path.relative, async () => ok(kindOfStats(await withPlace(path, (place) => lstat(place)))));
}
