/** Moves a file, folder or link without ever overwriting, also across devices; links stay links. */
import { lstat, mkdir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { errnoName } from "@/server/base/system-errors";
import { copyLink, copyMissing, copyToNewPath, entryNames, pathInside } from "./copy-tree";
import { moveToNewPath } from "./write-file";

/**
 * Moves an entry; both paths are absolute and their folders exist. Throws EEXIST if `to` exists; on any failure
 * `from` is intact.
 */
export async function moveEntry(from: string, to: string): Promise<void> {
  const stats = await lstat(from);
  try {
    if (stats.isDirectory()) await moveFolder(from, to);
    else if (stats.isSymbolicLink()) await moveLink(from, to);
    else await moveToNewPath(from, to);
  } catch (error) {
    if (errnoName(error) !== "EXDEV") throw error;
    await copyAcrossDevices(from, to);
  }
}

/** Creates the target folder first to reserve the name: a rename may replace an empty folder. */
async function moveFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  try {
    await rename(from, to);
  } catch (error) {
    await rmdir(to).catch(() => {});
    throw error;
  }
}

async function moveLink(from: string, to: string): Promise<void> {
  await copyLink(from, to);
  await unlink(from);
}

async function copyAcrossDevices(from: string, to: string): Promise<void> {
  // moveFolder has reserved and released the name.
  await copyToNewPath(from, to);
  try {
    await rm(from, { recursive: true });
  } catch (error) {
    // Partial deletion: copy the deleted entries back, so that the source is complete again.
    await copyMissing(to, from);
    await rm(to, { recursive: true, force: true });
    throw error;
  }
}

/** Counts files and bytes of an entry; links count as files and are not followed; stops at `max` files. */
export async function measureEntry(
  path: string,
  max: number,
): Promise<{ readonly files: number; readonly bytes: number }> {
  let files = 0;
  let bytes = 0;
  const pending: (string | Buffer)[] = [path];
  for (let next = pending.pop(); next !== undefined && files < max; next = pending.pop()) {
    const stats = await lstat(next);
    if (!stats.isDirectory()) {
      files += 1;
      bytes += stats.size;
      continue;
    }
    for (const name of await entryNames(next)) {
      pending.push(pathInside(next, name));
      if (pending.length > max) break;
    }
  }
  return { files, bytes };
}
