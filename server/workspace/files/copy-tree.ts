/**
 * Copies files, folders and links exactly (content, mode, times of files and folders), entry by entry: `fs.cp` differs
 * between versions of Node in what it refuses. Links stay links and nothing is replaced. Names are bytes: they need not be UTF-8.
 */
import { constants, type Stats } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readdir, readlink, rm, symlink, utimes } from "node:fs/promises";
import { posix } from "node:path";
import { fail } from "@/lib/events/error";
import { errnoName } from "@/server/base/system-errors";
import { FileRefusal } from "./file-errors";

const modeBits = 0o7777;

interface CopiedEntry {
  readonly from: string | Buffer;
  readonly to: string | Buffer;
  readonly stats: Stats;
}

/**
 * Copies an entry. Throws EEXIST, with nothing made, only if `to` exists; on any other failure nothing is left at `to`.
 * Throws a Refusal with not_a_file for a special file and changed_meanwhile if another program writes into the copy.
 */
export async function copyToNewPath(from: string | Buffer, to: string | Buffer): Promise<void> {
  const top = await createEntry(from, to);
  try {
    await completeCopy(top);
  } catch (error) {
    await rm(to, { recursive: true, force: true });
    throw error;
  }
}

/** Copies the entries of a folder that are missing in another one, or the entry if it is missing itself. */
export async function copyMissing(from: string | Buffer, to: string | Buffer): Promise<void> {
  try {
    return await copyToNewPath(from, to);
  } catch (error) {
    if (errnoName(error) !== "EEXIST") throw error;
  }
  if (!(await lstat(from)).isDirectory()) return;
  for (const name of await entryNames(from)) await copyMissing(pathInside(from, name), pathInside(to, name));
}

/** Returns the names in a folder as bytes. */
export const entryNames = (folder: string | Buffer): Promise<Buffer[]> => readdir(folder, { encoding: "buffer" });

export const pathInside = (folder: string | Buffer, name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(folder), Buffer.from("/"), name]);

/** Creates a link with the target of another one. */
export const copyLink = async (from: string | Buffer, to: string | Buffer): Promise<void> =>
  symlink(await readlink(from, { encoding: "buffer" }), to);

/** Creates an entry, a folder empty and for its owner only. A failure leaves nothing. */
async function createEntry(from: CopiedEntry["from"], to: CopiedEntry["to"]): Promise<CopiedEntry> {
  const stats = await lstat(from);
  if (stats.isDirectory()) await mkdir(to, { mode: 0o700 });
  else if (stats.isSymbolicLink()) await copyLink(from, to);
  else if (stats.isFile()) await copyFile(from, to, constants.COPYFILE_EXCL);
  else throw new FileRefusal(fail("not_a_file", undefined, { path: posix.basename(from.toString()) }));
  return { from, to, stats };
}

async function completeCopy(top: CopiedEntry): Promise<void> {
  const folders: CopiedEntry[] = [];
  const pending = [top];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    if (entry.stats.isFile()) await copyAttributes(entry);
    if (!entry.stats.isDirectory()) continue;
    folders.push(entry);
    for (const name of await entryNames(entry.from)) pending.push(await createChild(entry, name));
  }
  // Last: a folder may be read-only, and its time changes with each entry.
  for (const folder of folders.reverse()) await copyAttributes(folder);
}

async function createChild(folder: CopiedEntry, name: Buffer): Promise<CopiedEntry> {
  try {
    return await createEntry(pathInside(folder.from, name), pathInside(folder.to, name));
  } catch (error) {
    if (errnoName(error) !== "EEXIST") throw error;
    throw new FileRefusal(fail("changed_meanwhile", undefined, { path: name.toString() }));
  }
}

async function copyAttributes({ to, stats }: CopiedEntry): Promise<void> {
  await utimes(to, stats.atimeMs / 1000, stats.mtimeMs / 1000);
  await chmod(to, stats.mode & modeBits);
}
