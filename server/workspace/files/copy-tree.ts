/**
 * Copies files, folders and links exactly (content, mode, times of files and folders), entry by entry: `fs.cp` differs
 * between versions of Node in what it refuses. Links stay links and nothing is replaced.
 */
import { constants, type Stats } from "node:fs";
import { chmod, copyFile, lstat, mkdir, opendir, readlink, rm, symlink, utimes } from "node:fs/promises";
import { posix } from "node:path";
import { fail } from "@/lib/events/error";
import { errnoName } from "@/server/base/system-errors";
import { FileRefusal } from "./file-errors";

const modeBits = 0o7777;

interface CopiedEntry {
  readonly from: string;
  readonly to: string;
  readonly stats: Stats;
}

/**
 * Copies an entry. Throws EEXIST, with nothing made, only if `to` exists; on any other failure nothing is left at `to`.
 * Throws a Refusal with not_a_file for a special file and changed_meanwhile if another program writes into the copy.
 */
export async function copyToNewPath(from: string, to: string): Promise<void> {
  const top = await createEntry(from, to);
  try {
    await completeCopy(top);
  } catch (error) {
    await rm(to, { recursive: true, force: true });
    throw error;
  }
}

/** Copies the entries of a folder that are missing in another one, or the entry if it is missing itself. */
export async function copyMissing(from: string, to: string): Promise<void> {
  try {
    return await copyToNewPath(from, to);
  } catch (error) {
    if (errnoName(error) !== "EEXIST") throw error;
  }
  if (!(await lstat(from)).isDirectory()) return;
  for await (const { name } of await opendir(from)) await copyMissing(`${from}/${name}`, `${to}/${name}`);
}

/** Creates an entry, a folder empty and for its owner only. A failure leaves nothing. */
async function createEntry(from: string, to: string): Promise<CopiedEntry> {
  const stats = await lstat(from);
  if (stats.isDirectory()) await mkdir(to, { mode: 0o700 });
  else if (stats.isSymbolicLink()) await symlink(await readlink(from), to);
  else if (stats.isFile()) await copyFile(from, to, constants.COPYFILE_EXCL);
  else throw new FileRefusal(fail("not_a_file", undefined, { path: posix.basename(from) }));
  return { from, to, stats };
}

async function completeCopy(top: CopiedEntry): Promise<void> {
  const folders: CopiedEntry[] = [];
  const pending = [top];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    if (entry.stats.isFile()) await copyAttributes(entry);
    if (!entry.stats.isDirectory()) continue;
    folders.push(entry);
    for await (const { name } of await opendir(entry.from)) pending.push(await createChild(entry, name));
  }
  // Last: a folder may be read-only, and its time changes with each entry.
  for (const folder of folders.reverse()) await copyAttributes(folder);
}

async function createChild(folder: CopiedEntry, name: string): Promise<CopiedEntry> {
  try {
    return await createEntry(`${folder.from}/${name}`, `${folder.to}/${name}`);
  } catch (error) {
    if (errnoName(error) !== "EEXIST") throw error;
    throw new FileRefusal(fail("changed_meanwhile", undefined, { path: name }));
  }
}

async function copyAttributes({ to, stats }: CopiedEntry): Promise<void> {
  await utimes(to, stats.atimeMs / 1000, stats.mtimeMs / 1000);
  await chmod(to, stats.mode & modeBits);
}
