/**
 * Journal of resources a crash would leave behind: temporary files of unfinished writes, processes of commands, and
 * temporary folders. An entry is created before its resource and removed with it; the entries found at the next start are
 * cleaned up.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { lstat, readFile, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import * as z from "zod/mini";
import { computeHash } from "@/server/base/id";
import { writeInPlace } from "../files/write-in-place";
import { killMarkedProcesses } from "./process-group";

/** Relative paths are refused: an entry must be unambiguous. */
const entrySchema = z.object({
  /** A temporary file, absolute path. */
  file: z.optional(z.string()),
  /** The file into which the temporary file is being copied, and the hash of the whole content. */
  target: z.optional(z.string()),
  hash: z.optional(z.string()),
  /** `NAME=value` in the environment of every process of a command. */
  marker: z.optional(z.string().check(z.minLength(16))),
  /** A folder of this program directly in the system's temporary folder, absolute path; its name has the prefix. */
  folder: z.optional(z.string()),
});
type CleanupEntry = z.infer<typeof entrySchema>;

/** Removes the entry. */
type ClearEntry = () => void;

export interface CleanupJournal {
  /** Records a resource. Never throws: a missing entry only costs a leftover after a crash. */
  record(leftover: CleanupEntry): ClearEntry;
  /**
   * Cleans up after earlier processes; entries recorded from now on are not touched. Resolves with the number of
   * ended processes; never rejects. Processes can only be found where their environment is readable (Linux).
   */
  cleanUp(): Promise<number>;
}

/** Records nothing; for data whose whole folder is deleted. */
export const noCleanupJournal: CleanupJournal = { record: () => () => {}, cleanUp: () => Promise.resolve(0) };

/** Creates the journal in `home`, the data folder; its lock is held, so no other process has entries there. */
export function makeCleanupJournal(home: string, isTemporary: (name: string) => boolean): CleanupJournal {
  const folder = join(home, "leftovers");
  return {
    record(leftover) {
      const path = join(folder, randomBytes(9).toString("hex"));
      try {
        writeEntry(folder, path, JSON.stringify(leftover));
      } catch {
        return () => {};
      }
      return () => {
        try {
          unlinkSync(path);
        } catch {
          // Its folder was deleted: nothing to remove.
        }
      };
    },
    async cleanUp() {
      const notes = readEntries(folder);
      const leftovers = notes.flatMap(({ leftover }) => (leftover === null ? [] : [leftover]));
      const markers = leftovers.flatMap(({ marker }) => (marker === undefined ? [] : [marker]));
      const ended = markers.length === 0 ? 0 : await killMarkedProcesses(markers).catch(() => 0);
      // Before any temporary file is deleted: each has two entries.
      for (const leftover of leftovers) await finishCopy(leftover, isTemporary).catch(() => {});
      for (const { file, folder: temporary } of leftovers) {
        if (file !== undefined) await deleteTemporaryFile(file, isTemporary);
        if (temporary !== undefined) await deleteTemporaryFolder(temporary);
      }
      for (const { path } of notes) rmSync(path, { force: true });
      return ended;
    },
  };
}

function writeEntry(folder: string, path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  } catch {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  }
}

/**
 * Lists the entries. `leftover` is null for an incomplete entry: the crash happened before its resource was created.
 */
function readEntries(folder: string): readonly { readonly path: string; readonly leftover: CleanupEntry | null }[] {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // No folder: nothing was ever recorded.
  }
  return names.map((name) => ({ path: join(folder, name), leftover: readEntry(join(folder, name)) }));
}

function readEntry(path: string): CleanupEntry | null {
  try {
    const note = entrySchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return note.success ? note.data : null;
  } catch {
    return null;
  }
}

/** A file changed this long after the copy began was changed by someone else, ms. */
const copyMaxMs = 60_000;

/** Completes a copy over an existing file; nothing if the file was changed since. */
async function finishCopy({ file, target, hash }: CleanupEntry, isTemporary: (name: string) => boolean): Promise<void> {
  if (file === undefined || target === undefined || !target.startsWith("/") || !isTemporary(basename(file))) return;
  const [from, to] = [await lstat(file), await lstat(target)];
  if (!from.isFile() || !to.isFile() || dirname(file) !== dirname(target)) return;
  if (to.mtimeMs - from.mtimeMs > copyMaxMs) return;
  const bytes = await readFile(file);
  if (computeHash(bytes) === hash) await writeInPlace(target, bytes, from.mode & 0o777);
}

/** Deletes only a regular file with the name of a temporary file: anything else belongs to someone else. */
async function deleteTemporaryFile(path: string, isTemporary: (name: string) => boolean): Promise<void> {
  if (!path.startsWith("/") || !isTemporary(basename(path))) return;
  try {
    if ((await lstat(path)).isFile()) await unlink(path);
  } catch {
    // The file was already renamed, or its folder is gone.
  }
}

async function deleteTemporaryFolder(path: string): Promise<void> {
  if (dirname(path) !== tmpdir() || !basename(path).startsWith(temporaryPrefix)) return;
  await rm(path, { recursive: true, force: true }).catch(() => {});
}

/** Name prefix of this program's temporary folders. */
export const temporaryPrefix = "gopi-";
