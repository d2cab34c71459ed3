/** Lists the folders that complete a typed path anywhere on this machine, for the owner's Open folder dialog. */
import type { Dirent } from "node:fs";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { isFolderCompletion, type FolderNames, splitFolderPath } from "@/lib/workspace/folder-path";
import { toFileFailure } from "../file-errors";
import { readFirstEntries } from "./folder-entries";

/** Maximum folders in one result. */
const maxNames = 200;

/** Expands `~` and `~/…`; returns any other path unchanged. */
export const expandTilde = (path: string, home: string = homedir()): string =>
  path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;

/** Returns whether a single-line field can hold the name: no control characters, valid text. */
const isTypableName = (name: string): boolean => !/[\p{Cc}\ufffd]/u.test(name);

/**
 * Lists the folders that complete `typed`. Fails with bad_path if it is neither absolute nor starts at the home
 * folder, otherwise with the operating system's error.
 */
export async function listFolderNames(typed: string, home: string = homedir()): Promise<Result<FolderNames>> {
  const path = splitFolderPath(typed);
  if (path === null || typed.includes("\0")) return fail("bad_path", typed);
  const { folder, part } = path;
  const absolute = posix.normalize(expandTilde(folder, home));
  const isShown = (entry: Dirent): boolean =>
    (entry.isDirectory() || entry.isSymbolicLink()) &&
    isTypableName(entry.name) &&
    isFolderCompletion(entry.name, part);
  try {
    const found = await readFirstEntries(absolute, maxNames, isShown);
    const names = await Promise.all(
      found.entries.map(async (entry) => ((await isFolderEntry(absolute, entry)) ? [entry.name] : [])),
    );
    const above = posix.dirname(absolute);
    return ok({
      folder,
      parent: absolute === "/" ? null : above === "/" ? above : `${above}/`,
      names: names.flat(),
      more: found.moreFolders + found.moreFiles > 0,
    });
  } catch (error) {
    return toFileFailure(error, typed);
  }
}

const isFolderEntry = async (folder: string, entry: Dirent): Promise<boolean> =>
  entry.isDirectory() ||
  stat(posix.join(folder, entry.name)).then(
    (target) => target.isDirectory(),
    () => false,
  );
