/** Reads a file of a folder that others write, without being led out of it by links. */
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { isAbsolute, join, normalize } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { isInFolder } from "@/server/base/is-in-folder";
import { openedPath } from "./file-handle";

/** Largest file that is read. */
const fileMaxBytes = 262_144;

/**
 * Whether the folder is still where it was found: a link in its place, or in that of a folder above it, could lead
 * anywhere. `folder` = without links when it was found.
 */
export const isFolderInPlace = async (folder: string): Promise<boolean> =>
  (await realpath(folder).catch(() => null)) === folder;

/** Returns the real path of a folder; null = missing, or a link out of `within`. */
export async function findFolder(path: string, within: string | null): Promise<string | null> {
  const root = await realpath(path).catch(() => null);
  return root === null || within === null || isInFolder(root, within) ? root : null;
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
  if (!isInFolder(real, folder) || !(await isFolderInPlace(folder))) return fail("outside");
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
