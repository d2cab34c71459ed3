/** The atomic write of one file (R28): temp file beside it, fsync, the expected state checked once more, rename. Used by files.ts. */
import { createHash, randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, link, lstat, mkdir, open, rename, rmdir, unlink } from "node:fs/promises";
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/error";
import { asId, type Hash } from "@/lib/id";
import { hashOf } from "../base/id";
import type { SafePath } from "../security/paths";
import { errnoOf, Refusal } from "./file-errors";
import { withPlace } from "./file-handle";
import { type Leftovers, noLeftovers } from "./leftovers";

/** Of its own length, so that a name as long as the disk allows can still be written. */
const temporaryName = (): string => `.gopi-${randomBytes(9).toString("hex")}.tmp`;

/** A file that stands for moments beside the one that is written. After a kill core clears it away by its note. */
export const isTemporaryName = (name: string): boolean => /^\.gopi-[0-9a-f]{18}\.tmp$/.test(name);

const newFileMode = 0o666;
const hashChunkBytes = 65_536;

export interface FileWrite {
  readonly bytes: Buffer;
  /** Hash of what must stand there now; null: nothing may. */
  readonly expect: Hash | null;
  /** Permission bits; undefined: those of the file that is replaced, or the user's usual ones. */
  readonly mode: number | undefined;
}

/**
 * Nobody ever sees half a file, and no failure leaves a temp file. Throws a Refusal with changed_meanwhile, exists,
 * is_folder or not_a_file, or the operating system's error. The caller holds the project's write lock.
 */
export async function writeFile(
  path: SafePath,
  write: FileWrite,
  leftovers: Leftovers = noLeftovers,
): Promise<Result<{ readonly hash: Hash }>> {
  const made = write.expect === null ? await makeParents(path) : [];
  try {
    await withPlace(path, (place, folder) => replace(path, { place, folder, leftovers }, write));
    return ok({ hash: hashOf(write.bytes) });
  } catch (error) {
    for (const folder of made) await rmdir(folder).catch(() => {});
    throw error;
  }
}

interface Spot {
  readonly place: string;
  readonly folder: string;
  readonly leftovers: Leftovers;
}

async function replace(path: SafePath, { place, folder, leftovers }: Spot, write: FileWrite): Promise<void> {
  const old = await standing(place);
  refuseUnlike(path, old, write.expect);
  if (old !== null) await access(place, constants.W_OK);
  const name = temporaryName();
  const temporary = `${folder}/${name}`;
  const forget = leftovers.note({ file: posix.join(posix.dirname(path.absolute), name) });
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(write.bytes);
      if (old !== null) await keepOwner(handle, old);
      await handle.chmod((write.mode ?? old?.mode ?? newFileMode & ~process.umask()) & 0o777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (write.expect === null) return await placeNew(temporary, place);
    if ((await hashAt(place)) !== write.expect) throw changed(path);
    await rename(temporary, place);
  } finally {
    // Gone already when it became the file.
    await unlink(temporary).catch(() => {});
    forget();
  }
}

function refuseUnlike(path: SafePath, old: Stats | null, expect: Hash | null): void {
  const facts = { path: path.relative };
  if (old === null) {
    if (expect !== null) throw changed(path);
  } else if (old.isDirectory()) {
    throw new Refusal(fail("is_folder", undefined, facts));
  } else if (old.isSymbolicLink()) {
    throw changed(path);
  } else if (!old.isFile()) {
    throw new Refusal(fail("not_a_file", undefined, facts));
  } else if (expect === null) {
    throw new Refusal(fail("exists", undefined, facts));
  }
}

const changed = (path: SafePath): Refusal => new Refusal(fail("changed_meanwhile", undefined, { path: path.relative }));

/** What stands at a place, a link not followed; null when nothing does. */
export async function standing(place: string): Promise<Stats | null> {
  try {
    return await lstat(place);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Hash of the regular file at a place, in bounded memory; null when there is none, or it grows while it is read. */
export async function hashAt(place: string): Promise<Hash | null> {
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

/** The file keeps its owner when somebody with more rights writes it; nobody else can, and need not. */
async function keepOwner(handle: FileHandle, old: Stats): Promise<void> {
  const now = await handle.stat();
  if (now.uid !== old.uid || now.gid !== old.gid) await handle.chown(old.uid, old.gid).catch(() => {});
}

/** Some disks have no hard links. */
const linkless: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"]);

/** Gives a file its place when nothing stands there, safe against somebody doing the same now; throws EEXIST otherwise. */
export async function placeNew(from: string, place: string): Promise<void> {
  try {
    await link(from, place);
  } catch (error) {
    if (!linkless.has(errnoOf(error))) throw error;
    // The second best: claim the name with an empty file, then put ours over it.
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

/** Makes the folders above a path that is yet to be; returns those that are new, deepest first. */
export async function makeParents(path: SafePath): Promise<readonly string[]> {
  const parent = posix.dirname(path.absolute);
  const first = await mkdir(parent, { recursive: true }).catch((error: unknown) => {
    // The folder's name is taken, but not by a folder.
    if (errnoOf(error) !== "EEXIST") throw error;
    throw new Refusal(fail("not_folder", undefined, { path: path.relative }));
  });
  if (first === undefined) return [];
  const made: string[] = [];
  for (let folder = parent; folder.length >= first.length; folder = posix.dirname(folder)) made.push(folder);
  return made;
}
