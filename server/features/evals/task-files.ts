/**
 * Files of a folder in which a model worked. It may contain anything: links that lead out of it, pipes that no program
 * writes to, files of any size.
 */
import { constants } from "node:fs";
import { copyFile, cp, lstat, mkdir, open, realpath, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

const maxFileBytes = 10_485_760;

/** The text of a regular file of at most 10 MB inside the folder; null = there is none. `root` is a real path. */
export async function readFileText(root: string, name: string): Promise<string | null> {
  const path = await realpath(join(root, name)).catch(() => null);
  if (path === null || !path.startsWith(root + sep)) return null;
  // A pipe is opened without waiting for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    return stats.isFile() && stats.size <= maxFileBytes ? await file.readFile("utf8") : null;
  } finally {
    await file.close();
  }
}

/** Whether anything has this name, even a link to nothing. */
export const isFileThere = (root: string, name: string): Promise<boolean> =>
  lstat(join(root, name)).then(
    () => true,
    () => false,
  );

/** Copies a file of `from` over whatever is in its place. Nothing outside `root` is written. */
export async function restoreFile(from: string, root: string, name: string): Promise<void> {
  const folders = dirname(name).split(/[/\\]/);
  for (const [index] of folders.entries()) {
    const folder = join(root, ...folders.slice(0, index + 1));
    const isFolder = await lstat(folder).then(
      (stats) => stats.isDirectory(),
      () => true,
    );
    if (!isFolder) await rm(folder);
  }
  await mkdir(dirname(join(root, name)), { recursive: true });
  await rm(join(root, name), { recursive: true, force: true });
  await copyFile(join(from, name), join(root, name));
}

/** Copies the files and folders in `from`; links and special files are left out. Rejects with the signal's reason. */
export const copyTaskFiles = (from: string, root: string, signal: AbortSignal): Promise<void> =>
  cp(from, root, {
    recursive: true,
    async filter(path) {
      signal.throwIfAborted();
      const stats = await lstat(path);
      return stats.isFile() || stats.isDirectory();
    },
  });
