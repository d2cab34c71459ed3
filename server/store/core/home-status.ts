/** Reads the size of the home folder, and whether it can be written. Creates nothing. */
import { accessSync, constants, existsSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { HomeStatus } from "@/lib/protocol/status-report";

/** Rejects only with the signal's reason. */
export async function readHomeStatus(home: string, signal: AbortSignal): Promise<HomeStatus> {
  return { path: home, bytes: await folderBytes(home, signal), isWritable: isWritable(home) };
}

/** Bytes of all files below the folder, 0 without one. Files that disappear meanwhile do not count. */
async function folderBytes(path: string, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  let bytes = 0;
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) bytes += await folderBytes(inner, signal);
    else
      bytes += await lstat(inner).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return bytes;
}

/** Whether the home and its database can be written; true where they do not exist yet. */
const isWritable = (home: string): boolean =>
  [home, join(home, "gopi.db")].every((path) => {
    try {
      if (existsSync(path)) accessSync(path, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  });
