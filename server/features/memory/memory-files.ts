/**
 * The files of the memory in the home folder: read up to a limit, written atomically, created by the first write. Other
 * programs may edit them at any time.
 */
import { constants, readdirSync, type Stats } from "node:fs";
import { type FileHandle, open, readdir, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { Hash } from "@/lib/events/id";
import { isMemoryFileName } from "@/lib/tools/memory";
import { neverAborted } from "@/server/base/abort";
import { makeMutex } from "@/server/base/concurrency";
import { computeHash } from "@/server/base/id";
import { errnoName } from "@/server/base/system-errors";
import { makePrivateFolder, writePrivateFileAsync } from "@/server/store/core/private-file";
import { catchFileErrors } from "@/server/workspace/files/file-errors";

/** Larger files are not edited by this program. */
export const memoryFileMaxBytes = 262_144;
/** Size of the start or end that is read of a larger file. */
const partMaxBytes = 65_536;
/** Files that are listed: the newest days of the diary. */
const maxEntries = 20_000;

interface MemoryText {
  /** "" = there is no such file. */
  readonly text: string;
  /** null = there is no such file, or only a part of it was read. */
  readonly hash: Hash | null;
  /** False = the file is too large: only whole lines of its start or end were read. */
  readonly isWhole: boolean;
}

/** Names are those of `isMemoryFileName`. Failures: not_a_file, binary, bad_encoding, outside, no_permission, busy. */
export interface MemoryFiles {
  /** Folder of all files. */
  readonly folder: string;
  read(name: string, keep: "start" | "end"): Promise<Result<MemoryText>>;
  /** Replaces a file whose hash is still `before`; an empty text deletes it. Fails also with changed_meanwhile, too_large. */
  write(name: string, text: string, before: Hash | null): Promise<Result<void>>;
  /** Replaces the text by what `change` returns for it; no other write of this program happens meanwhile. */
  edit<T>(name: string, change: (text: string) => Result<MemoryEdit<T>>): Promise<Result<T>>;
  /** Adds a line at the end in one write. Fails with too_large for a file at its limit. */
  append(name: string, line: string): Promise<Result<void>>;
  /** Whether the folder has a file, as of the last reading or writing. */
  hasAny(): boolean;
  /** Names of the files directly in the folder, sorted. */
  list(): Promise<readonly string[]>;
}

interface MemoryEdit<T> {
  readonly text: string;
  readonly value: T;
}

const missing: MemoryText = { text: "", hash: null, isWhole: true };

export function makeMemoryFiles(folder: string): MemoryFiles {
  const mutex = makeMutex();
  /** null = it is looked at when it is needed. */
  let hasFiles: boolean | null = null;
  /** One writing of a file after another. */
  const exclusive = async <T>(name: string, work: (path: string) => Promise<Result<T>>): Promise<Result<T>> => {
    try {
      return await mutex.hold(name, () => withPath(name, work), neverAborted);
    } finally {
      hasFiles = null;
    }
  };
  const withPath = async <T>(name: string, work: (path: string) => Promise<Result<T>>): Promise<Result<T>> => {
    if (!isMemoryFileName(name)) return fail("bad_path", undefined, { path: name });
    const path = join(folder, name);
    return catchFileErrors(path, async () =>
      (await isInside(folder, path)) ? work(path) : fail("outside", path, { path }),
    );
  };
  const save = async (path: string, text: string): Promise<Result<void>> => {
    if (Buffer.byteLength(text) > memoryFileMaxBytes)
      return fail("too_large", undefined, { path, limit: memoryFileMaxBytes });
    if (text === "") await rm(path, { force: true });
    else {
      makePrivateFolder(dirname(path));
      await writePrivateFileAsync(path, Buffer.from(text));
    }
    return ok(undefined);
  };
  return {
    folder,
    read: (name, keep) => withPath(name, (path) => readMemoryText(path, keep)),
    write: (name, text, before) =>
      exclusive(name, async (path) => {
        const now = await readMemoryText(path, "start");
        if (!now.ok) return now;
        if (!now.value.isWhole) return fail("too_large", undefined, { path, limit: memoryFileMaxBytes });
        if (now.value.hash !== before) return fail("changed_meanwhile", undefined, { path });
        return save(path, text);
      }),
    edit: (name, change) =>
      exclusive(name, async (path) => {
        const now = await readMemoryText(path, "start");
        if (!now.ok) return now;
        if (!now.value.isWhole) return fail("too_large", undefined, { path, limit: memoryFileMaxBytes });
        const changed = change(now.value.text);
        if (!changed.ok) return changed;
        const { text, value } = changed.value;
        if (text === now.value.text) return ok(value);
        const saved = await save(path, text);
        return saved.ok ? ok(value) : saved;
      }),
    append: (name, line) => exclusive(name, (path) => appendLine(path, line)),
    hasAny: () => (hasFiles ??= readNames(folder).some(isMemoryEntry)),
    async list() {
      const names = await listNames(folder);
      hasFiles = names.some(isMemoryEntry);
      return names.filter(isMemoryFileName).toSorted().slice(-maxEntries);
    },
  };
}

/** Whether the file, or the nearest folder of it that exists, is in the memory's folder: a link may lead elsewhere. */
async function isInside(folder: string, path: string): Promise<boolean> {
  const root = await realPathIfExists(folder);
  if (root === null) return true;
  for (let part = path; part.length > folder.length; part = dirname(part)) {
    const real = await realPathIfExists(part);
    if (real !== null) return real === join(root, part.slice(folder.length));
  }
  return true;
}

async function realPathIfExists(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errnoName(error) === "ENOENT") return null;
    throw error;
  }
}

/** Opens a regular file without waiting, as a pipe would; null = there is none. */
async function openIfExists(path: string, flags: number): Promise<FileHandle | null> {
  try {
    return await open(path, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (errnoName(error) === "ENOENT") return null;
    throw error;
  }
}

async function readMemoryText(path: string, keep: "start" | "end"): Promise<Result<MemoryText>> {
  const file = await openIfExists(path, constants.O_RDONLY);
  if (file === null) return ok(missing);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return fail("not_a_file", undefined, { path });
    return stats.size > memoryFileMaxBytes ? await readPart(file, stats, path, keep) : await readWhole(file, path);
  } finally {
    await file.close();
  }
}

async function readWhole(file: FileHandle, path: string): Promise<Result<MemoryText>> {
  const bytes = await readBytes(file, 0, memoryFileMaxBytes);
  const text = decodeText(bytes, true);
  if (text === null) return fail(bytes.includes(0) ? "binary" : "bad_encoding", undefined, { path });
  return ok({ text, hash: computeHash(bytes), isWhole: true });
}

/** The first or last lines of a large file; the line at the cut is left out. */
async function readPart(
  file: FileHandle,
  { size }: Stats,
  path: string,
  keep: "start" | "end",
): Promise<Result<MemoryText>> {
  const text = decodeText(await readBytes(file, keep === "start" ? 0 : size - partMaxBytes, partMaxBytes), false);
  if (text === null) return fail("binary", undefined, { path });
  const lines = text.split("\n");
  const whole = keep === "start" ? lines.slice(0, -1) : lines.slice(1);
  return ok({ text: whole.join("\n"), hash: null, isWhole: false });
}

async function readBytes(file: FileHandle, from: number, maxBytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(maxBytes);
  let length = 0;
  while (length < maxBytes) {
    const { bytesRead } = await file.read(buffer, length, maxBytes - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

/** null = it is not text. `isStrict`: nor is UTF-8 with errors. A byte order mark is left out. */
function decodeText(bytes: Uint8Array, isStrict: boolean): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: isStrict }).decode(bytes);
  } catch {
    return null;
  }
}

async function appendLine(path: string, line: string): Promise<Result<void>> {
  makePrivateFolder(dirname(path));
  const file = await open(
    path,
    constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return fail("not_a_file", undefined, { path });
    const added = Buffer.byteLength(line) + 2;
    if (stats.size + added > memoryFileMaxBytes)
      return fail("too_large", undefined, { path, limit: memoryFileMaxBytes });
    const last = stats.size === 0 ? "\n" : (await readBytes(file, stats.size - 1, 1)).toString();
    await file.write(`${last === "\n" ? "" : "\n"}${line}\n`);
    return ok(undefined);
  } finally {
    await file.close();
  }
}

/** A file of the memory, or the folder with those of the projects, which is created for a file. */
const isMemoryEntry = (name: string): boolean => name === "projects" || isMemoryFileName(name);

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoName(error) === "") throw error;
    return [];
  }
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoName(error) === "") throw error;
    return [];
  }
}
