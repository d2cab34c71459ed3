/** File operations of a project; every access to project files goes through them. */
import type { Dirent, Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, readdir, rename, rmdir } from "node:fs/promises";
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { serverLimits } from "@/lib/settings/server-limits";
import { isUnreadableName } from "@/lib/text/unreadable-name";
import type { TextEncoding } from "@/lib/workspace/project-files";
import { computeHash } from "@/server/base/id";
import { makeMutex, type Mutex } from "@/server/base/concurrency";
import { isProtectedPath, policyForRoot, type SafePath } from "@/server/security/paths/safe-path";
import { catchFileErrors } from "./file-errors";
import { statsKind, withOpenFile, withOpenFolder, withEntryPath } from "./file-handle";
import { writeArchive } from "./archive/write-archive";
import { copyEntry } from "./copy-entry";
import { readFirstEntries, hasAnyEntry } from "./folders/folder-entries";
import { makeFolderPages } from "./folders/folder-pages";
import { loadUnignoredRules, type ProjectPolicy } from "../search/ignore-rules";
import { type CleanupJournal, noCleanupJournal } from "../shell/cleanup-journal";
import { measureEntry, moveEntry } from "./move-entry";
import { toFileBytes } from "./file-bytes";
import { readLines } from "./read-lines";
import { receiveFile } from "./receive-file";
import { prepareDecoding } from "../encoding/prepare-decoding";
import { decodeText, decodeTextAs, encodeText, detectFileType } from "../encoding/text-encoding";
import type { FileBytes, FileInfo, Files, FolderEntry, FolderList, TextFile } from "../workspace";
import {
  hashFileAt,
  createParents,
  isTemporaryName,
  moveToNewPath,
  statIfExists,
  writeFileAtomically,
} from "./write-file";
import { neverAborted } from "@/server/base/abort";

const modeBits = 0o7777;
const sniffedBytes = 512;

/**
 * Creates the Files of a project. `lock` is the project's write lock: pass the same one to every Files of one
 * project, or omit it if there is one Files. `leftovers` records temporary files of unfinished writes for the cleanup
 * after a crash; by default nothing is recorded.
 */
export function makeFiles(
  policy: ProjectPolicy,
  lock: Mutex = makeMutex(),
  leftovers: CleanupJournal = noCleanupJournal,
): Files {
  /**
   * Serializes the last step of every change in this project; short, so waiting is not cancellable. Fails with outside
   * for a path in a read root.
   */
  const alone = <T>(path: SafePath, work: () => Promise<Result<T>>, to = path): Promise<Result<T>> =>
    catchFileErrors(path.relative, async () => {
      const readOnly = [path, to].find(({ readRoot }) => readRoot !== null);
      if (readOnly !== undefined) return fail("outside", undefined, { path: readOnly.shown });
      return lock.hold(policy.root, work, neverAborted);
    });
  return {
    root: policy.root,
    info: (path) =>
      catchFileErrors(path.relative, async () => ok(toFileInfo(await withEntryPath(path, (place) => lstat(place))))),
    readText: readTextFile,
    async readBytes(path, maxBytes) {
      const read = await readWholeFile(path, maxBytes);
      return read.ok ? ok(read.value.bytes) : read;
    },
    withBytes,
    readLines: (path, range, signal) =>
      catchFileErrors(path.relative, () =>
        withOpenFile(path, async (handle, stats) => {
          const read = await readLines(handle, stats.size, range, signal);
          return read.ok ? read : fail(read.error.code, undefined, { ...read.error.facts, path: path.relative });
        }),
      ),
    listPage: makeFolderPages(policy),
    list: (path, max) =>
      catchFileErrors(path.relative, () => listFolder(policyForRoot(policy, path.readRoot), path, max)),
    hasEntries: (path) =>
      catchFileErrors(path.relative, () => hasShownEntries(policyForRoot(policy, path.readRoot), path)),
    async write(path, text, expect, keep) {
      const bytes = encodeText(text, keep?.encoding ?? "utf8");
      if (!bytes.ok) return bytes;
      return alone(path, () => writeFileAtomically(path, { bytes: bytes.value, expect, mode: keep?.mode }, leftovers));
    },
    writeBytes: (path, bytes, expect, mode) =>
      alone(path, async () => {
        const written = await writeFileAtomically(path, { bytes: Buffer.from(bytes), expect, mode }, leftovers);
        return written.ok ? ok(undefined) : written;
      }),
    receive: (path, file, publish) =>
      catchFileErrors(path.relative, () =>
        receiveFile(path, file, leftovers, (temporary) =>
          publish((to) => alone(to, () => moveToNewEntry(temporary, to))),
        ),
      ),
    moveOut: (path, toFolder, expect) =>
      alone(path, async () => {
        const same = expect === undefined || (await withEntryPath(path, hashFileAt)) === expect;
        return same ? moveOutEntry(path, toFolder) : fail("changed_meanwhile", undefined, { path: path.relative });
      }),
    async removeEmpty(path) {
      await alone(path, () => removeEmptyFolders(path));
    },
    moveBack: (fromFolder, path) => alone(path, () => moveBackEntry(fromFolder, path)),
    makeFolder: (path) =>
      alone(path, async () => {
        await createParents(path);
        await withEntryPath(path, (place) => mkdir(place));
        return ok(undefined);
      }),
    rename: (from, to) => alone(from, () => renameEntry(from, to), to),
    copy: (from, to) => alone(from, () => copyEntry(from, to), to),
    archive: (request, write, signal) => writeArchive(policy, request, write, signal),
  };
}

async function withBytes<T>(path: SafePath, work: (bytes: FileBytes) => Promise<T>): Promise<Result<T>> {
  const opened = await catchFileErrors(path.relative, () =>
    withOpenFile(path, async (handle, stats) => {
      const [settled] = await Promise.allSettled([work(toFileBytes(path.relative, handle, stats))]);
      return ok(settled);
    }),
  );
  if (!opened.ok) return opened;
  // A rejection of `work` is no failure of opening the file.
  if (opened.value.status === "rejected") throw opened.value.reason;
  return ok(opened.value.value);
}

const toFileInfo = (stats: Stats): FileInfo => ({
  kind: statsKind(stats),
  size: stats.size,
  modifiedAt: stats.mtimeMs,
  mode: stats.mode & modeBits,
});

async function readTextFile(path: SafePath, maxBytes: number, encoding?: TextEncoding): Promise<Result<TextFile>> {
  const read = await readWholeFile(path, maxBytes);
  if (!read.ok) return read;
  const { bytes, stats } = read.value;
  await prepareDecoding(bytes);
  const decoded = encoding === undefined ? decodeText(bytes) : decodeTextAs(bytes, encoding);
  if (!decoded.ok) {
    return fail(decoded.error.code, undefined, { ...decoded.error.facts, path: path.relative });
  }
  return ok({ ...decoded.value, hash: computeHash(bytes), mode: stats.mode & modeBits, size: bytes.length });
}

/** Reads a regular file completely; fails beyond `maxBytes`, also if the file grows while it is read. */
function readWholeFile(
  path: SafePath,
  maxBytes: number,
): Promise<Result<{ readonly bytes: Buffer; readonly stats: Stats }>> {
  return catchFileErrors(path.relative, () =>
    withOpenFile(path, async (handle, stats) => {
      if (stats.size > maxBytes) return failTooLarge(path, handle, stats.size);
      const bytes = await readUpTo(handle, stats.size, maxBytes + 1);
      if (bytes.length > maxBytes) return failTooLarge(path, handle, (await handle.stat()).size);
      return ok({ bytes, stats });
    }),
  );
}

/** Returns too_large with the size, and the type detected from the first bytes. */
async function failTooLarge(path: SafePath, handle: FileHandle, bytes: number): Promise<Result<never>> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
  return fail("too_large", undefined, {
    path: path.relative,
    bytes,
    type: detectFileType(buffer.subarray(0, bytesRead)),
  });
}

/** Reads to the end or to `max` bytes. `expected` is a hint: kernel files report size 0, growing files too little. */
async function readUpTo(handle: FileHandle, expected: number, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < max) {
    const size = Math.min(max - total, total < expected ? expected - total + 1 : 65_536);
    const chunk = Buffer.allocUnsafe(size);
    const { bytesRead } = await handle.read(chunk, 0, size, total);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
  }
  return Buffer.concat(chunks, total);
}

async function listFolder(policy: ProjectPolicy, path: SafePath, max: number): Promise<Result<FolderList>> {
  const rules = await loadUnignoredRules(policy, path.relative);
  const allIgnored = rules === null;
  return withOpenFolder(path.absolute, async (folder) => {
    const isShown = ({ name }: Dirent): boolean => !isTemporaryName(name) && !isHiddenFromModel(policy, path, name);
    const found = await readFirstEntries(folder, max, isShown);
    const entries: FolderEntry[] = [];
    let unreadable = 0;
    for (const entry of found.entries) {
      const stats = await statIfExists(`${folder}/${entry.name}`);
      if (stats === null) {
        unreadable += Number(isUnreadableName(entry.name));
        continue;
      }
      const kind = statsKind(stats);
      const ignored = rules === null || rules.ignores(entry.name, kind === "folder");
      entries.push({ name: entry.name, kind, size: stats.size, ignored });
    }
    const total = found.entries.length - unreadable + found.moreFolders + found.moreFiles;
    return ok({ entries, total, unreadable, allIgnored });
  });
}

async function hasShownEntries(policy: ProjectPolicy, path: SafePath): Promise<Result<boolean>> {
  const rules = await loadUnignoredRules(policy, path.relative);
  return withOpenFolder(path.absolute, async (folder) =>
    ok(
      await hasAnyEntry(
        folder,
        (entry) => !isHiddenFromModel(policy, path, entry.name) && !rules?.ignores(entry.name, entry.isDirectory()),
      ),
    ),
  );
}

/** Returns whether the entry is hidden from the model (protected); the owner sees all entries. */
function isHiddenFromModel(policy: ProjectPolicy, folder: SafePath, name: string): boolean {
  return (
    folder.by === "model" && isProtectedPath(folder.relative === "." ? name : `${folder.relative}/${name}`, policy)
  );
}

async function moveOutEntry(
  path: SafePath,
  toFolder: string,
): Promise<Result<{ readonly files: number; readonly bytes: number }>> {
  if (path.relative === ".") return fail("not_allowed", undefined, { path: path.relative });
  return withEntryPath(path, async (place) => {
    const size = await measureEntry(place, serverLimits.walkEntries);
    await mkdir(toFolder, { recursive: true, mode: 0o700 });
    if ((await readdir(toFolder)).length > 0) return fail("exists", undefined, { path: toFolder });
    try {
      await moveEntry(place, posix.join(toFolder, posix.basename(path.absolute)));
      return ok(size);
    } catch (error) {
      await rmdir(toFolder).catch(() => {});
      throw error;
    }
  });
}

async function moveToNewEntry(temporary: string, to: SafePath): Promise<Result<void>> {
  await withEntryPath(to, (place) => moveToNewPath(temporary, place));
  return ok(undefined);
}

async function removeEmptyFolders(path: SafePath): Promise<Result<void>> {
  const root = posix.normalize(path.absolute.slice(0, path.absolute.length - path.relative.length));
  for (let folder = path.absolute; folder.length > root.length; folder = posix.dirname(folder)) await rmdir(folder);
  return ok(undefined);
}

async function moveBackEntry(fromFolder: string, path: SafePath): Promise<Result<void>> {
  const [name, ...others] = await readdir(fromFolder);
  if (name === undefined || others.length > 0) return fail("not_found", undefined, { path: path.relative });
  await createParents(path);
  return withEntryPath(path, async (place) => {
    await moveEntry(posix.join(fromFolder, name), place);
    return ok(undefined);
  });
}

async function renameEntry(from: SafePath, to: SafePath): Promise<Result<void>> {
  if (from.relative === "." || to.relative === ".") return fail("not_allowed", undefined, { path: from.relative });
  if (from.absolute === to.absolute) return ok(undefined);
  if (to.absolute.startsWith(`${from.absolute}/`)) return fail("bad_path", undefined, { path: to.relative });
  await createParents(to);
  return withEntryPath(from, (fromPlace) =>
    withEntryPath(to, async (toPlace) => {
      if (await isSameEntry(from, to, fromPlace, toPlace)) await rename(fromPlace, toPlace);
      else await moveEntry(fromPlace, toPlace);
      return ok(undefined);
    }),
  );
}

/**
 * Returns whether both paths are the same entry: on a case-insensitive file system a rename may change only the case.
 */
async function isSameEntry(from: SafePath, to: SafePath, fromPlace: string, toPlace: string): Promise<boolean> {
  if (from.absolute.toLowerCase() !== to.absolute.toLowerCase()) return false;
  const target = await statIfExists(toPlace);
  return target !== null && target.ino === (await lstat(fromPlace)).ino && target.nlink === 1;
}
