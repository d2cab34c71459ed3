/** Writes a file atomically: temporary file beside it, fsync, a second check of the expected state, rename. */
import { createHash, randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, link, lstat, mkdir, open, readFile, rename, rmdir, unlink } from "node:fs/promises";
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { asId, type Hash } from "@/lib/events/id";
import { computeHash } from "@/server/base/id";
import type { SafePath } from "@/server/security/paths/safe-path";
import { errnoName } from "@/server/base/system-errors";
import { FileRefusal } from "./file-errors";
import { withEntryPath } from "./file-handle";
import { writeInPlace } from "./write-in-place";
import { type CleanupJournal, noCleanupJournal } from "../shell/cleanup-journal";

/** Independent of the target's name, so that a name of maximum length can still be written. */
const makeTemporaryName = (): string => `.gopi-${randomBytes(9).toString("hex")}.tmp`;

/**
 * Returns whether a name is that of the temporary file of an unfinished write. After a crash it is deleted by its
 * journal entry.
 */
export const isTemporaryName = (name: string): boolean => /^\.gopi-[0-9a-f]{18}\.tmp$/.test(name);

/** Returns whether the permission bits of a file let no user write it. */
export const isReadOnlyMode = (mode: number): boolean => (mode & 0o222) === 0;

/** Permission bits of a new file. */
export const defaultFileMode = (): number => 0o666 & ~process.umask();
const hashChunkBytes = 65_536;

interface FileWrite {
  readonly bytes: Buffer;
  /** Hash of the existing file; null = no file may exist. */
  readonly expect: Hash | null;
  /**
   * Permission bits; undefined = those of the replaced file, or the default for new files. Without the right to write:
   * the caller replaces a read-only file on purpose.
   */
  readonly mode: number | undefined;
}

/**
 * Writes a file; readers never see a partial file, unless it has other names (hard links), and no failure leaves a temporary file. Throws a Refusal with
 * changed_meanwhile, exists, is_folder or not_a_file, or the operating system's error. The caller holds the project's
 * write lock.
 */
export async function writeFileAtomically(
  path: SafePath,
  write: FileWrite,
  leftovers: CleanupJournal = noCleanupJournal,
): Promise<Result<{ readonly hash: Hash }>> {
  const created = write.expect === null ? await createParents(path) : [];
  try {
    await withEntryPath(path, (place, folder) =>
      replaceFile(path, { targetPath: place, folder, cleanup: leftovers }, write),
    );
    return ok({ hash: computeHash(write.bytes) });
  } catch (error) {
    for (const folder of created) await rmdir(folder).catch(() => {});
    throw error;
  }
}

interface TemporaryFile {
  /** Path of the open folder that holds it. */
  readonly folder: string;
  readonly cleanup: CleanupJournal;
  /** Writes the content and sets the mode. */
  readonly fill: (handle: FileHandle) => Promise<void>;
}

/**
 * Creates a temporary file beside `path`, fills and syncs it, and calls `publish` with its path, which moves it. A file
 * that was not moved is deleted.
 */
export async function withTemporaryFile<T>(
  path: SafePath,
  { folder, cleanup, fill }: TemporaryFile,
  publish: (temporary: string) => Promise<T>,
): Promise<T> {
  const name = makeTemporaryName();
  const temporary = `${folder}/${name}`;
  const forget = cleanup.record({ file: posix.join(posix.dirname(path.absolute), name) });
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await fill(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return await publish(temporary);
  } finally {
    // Already gone if it was moved to the target.
    await unlink(temporary).catch(() => {});
    forget();
  }
}

interface WriteTarget {
  readonly targetPath: string;
  readonly folder: string;
  readonly cleanup: CleanupJournal;
}

async function replaceFile(
  path: SafePath,
  { targetPath, folder, cleanup }: WriteTarget,
  write: FileWrite,
): Promise<void> {
  const old = await statIfExists(targetPath);
  refuseUnexpected(path, old, write.expect);
  const isReadOnlyOnPurpose = write.mode !== undefined && isReadOnlyMode(write.mode);
  if (old !== null && !isReadOnlyOnPurpose) {
    // The system lets root write any file.
    if (isReadOnlyMode(old.mode)) throw new FileRefusal(fail("no_permission", undefined, { path: path.relative }));
    await access(targetPath, constants.W_OK);
  }
  const mode = (write.mode ?? old?.mode ?? defaultFileMode()) & 0o777;
  const fill = async (handle: FileHandle): Promise<void> => {
    await handle.writeFile(write.bytes);
    if (old !== null) await restoreOwner(handle, old);
    await handle.chmod(mode);
  };
  await withTemporaryFile(path, { folder, cleanup, fill }, async (temporary) => {
    if (write.expect === null) return moveToNewPath(temporary, targetPath);
    if ((await hashFileAt(targetPath)) !== write.expect) throw changedMeanwhile(path);
    if (old === null || old.nlink === 1) return rename(temporary, targetPath);
    // The other names of the file must have the new content too. After a crash it is written again as a whole.
    const file = posix.join(posix.dirname(path.absolute), posix.basename(temporary));
    const finished = cleanup.record({ file, target: path.absolute, hash: computeHash(write.bytes) });
    const before = await readFile(targetPath);
    try {
      await writeInPlace(targetPath, write.bytes, mode);
    } catch (error) {
      await writeInPlace(targetPath, before, old.mode & 0o777).catch(() => {});
      throw error;
    } finally {
      finished();
    }
  });
}

function refuseUnexpected(path: SafePath, old: Stats | null, expect: Hash | null): void {
  const facts = { path: path.relative };
  if (old === null) {
    if (expect !== null) throw changedMeanwhile(path);
  } else if (old.isDirectory()) {
    throw new FileRefusal(fail("is_folder", undefined, facts));
  } else if (old.isSymbolicLink()) {
    throw changedMeanwhile(path);
  } else if (!old.isFile()) {
    throw new FileRefusal(fail("not_a_file", undefined, facts));
  } else if (expect === null) {
    throw new FileRefusal(fail("exists", undefined, facts));
  }
}

const changedMeanwhile = (path: SafePath): FileRefusal =>
  new FileRefusal(fail("changed_meanwhile", undefined, { path: path.relative }));

/** Returns the stats of a path without following a link; null if it does not exist. */
export async function statIfExists(place: string): Promise<Stats | null> {
  try {
    return await lstat(place);
  } catch (error) {
    if (errnoName(error) === "ENOENT") return null;
    throw error;
  }
}

/** Hashes the regular file at a path in bounded memory; null if there is none, or if it grows while it is read. */
export async function hashFileAt(place: string): Promise<Hash | null> {
  let handle: FileHandle;
  try {
    handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return null;
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafe(hashChunkBytes);
    let total = 0;
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) return asId<Hash>(hash.digest("hex"));
      total += bytesRead;
      if (total > stats.size) return null;
      hash.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** Restores the owner if a privileged process replaced the file; otherwise it cannot differ or cannot be changed. */
async function restoreOwner(handle: FileHandle, old: Stats): Promise<void> {
  const now = await handle.stat();
  if (now.uid !== old.uid || now.gid !== old.gid) await handle.chown(old.uid, old.gid).catch(() => {});
}

/** Errors of file systems without hard links. */
const noHardLinkErrors: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"]);

/** Moves a file to a path that must not exist, safe against concurrent creation; throws EEXIST otherwise. */
export async function moveToNewPath(from: string, place: string): Promise<void> {
  try {
    await link(from, place);
  } catch (error) {
    if (!noHardLinkErrors.has(errnoName(error))) throw error;
    // Fallback: reserve the name with an empty file, then rename over it.
    await (await open(place, "wx", 0o600)).close();
    try {
      await rename(from, place);
    } catch (failure) {
      await unlink(place).catch(() => {});
      throw failure;
    }
    return;
  }
  await unlink(from);
}

/** Creates the parent folders of a path; returns the new ones, deepest first. */
export async function createParents(path: SafePath): Promise<readonly string[]> {
  const parent = posix.dirname(path.absolute);
  const first = await mkdir(parent, { recursive: true }).catch((error: unknown) => {
    // A parent exists but is not a folder.
    if (errnoName(error) !== "EEXIST") throw error;
    throw new FileRefusal(fail("not_folder", undefined, { path: path.relative }));
  });
  if (first === undefined) return [];
  const created: string[] = [];
  for (let folder = parent; folder.length >= first.length; folder = posix.dirname(folder)) created.push(folder);
  return created;
}
