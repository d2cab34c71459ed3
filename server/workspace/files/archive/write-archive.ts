/**
 * Writes files and folders of a project into one ZIP archive while they are read. Links stay links and special files are
 * left out; what vanishes or cannot be opened is left out, too. Names that are not UTF-8 are listed in a file of the archive.
 */
import type { Dirent } from "node:fs";
import { lstat, readlink, stat } from "node:fs/promises";
import { posix } from "node:path";
import { isUnreadableName } from "@/lib/text/unreadable-name";
import { beginTimeSlice } from "@/server/base/steps";
import { childPath, type SafePath } from "@/server/security/paths/safe-path";
import { type IgnoreRules, loadUnignoredRules, type ProjectPolicy } from "../../search/ignore-rules";
import type { ArchiveRequest } from "../../workspace";
import { toFileBytes } from "../file-bytes";
import { errnoName } from "@/server/base/system-errors";
import { FileRefusal } from "../file-errors";
import { statsKind, withEntryPath, withOpenFile, withOpenFolder } from "../file-handle";
import { readFirstEntries } from "../folders/folder-entries";
import { isTemporaryName } from "../write-file";
import { makeZipWriter, type ZipWriter } from "./zip-writer";

/** Failures of this process and not of an entry: too many files are open. They end the archive. */
const processErrors: readonly string[] = ["EMFILE", "ENFILE"];

interface ArchiveWalk {
  readonly policy: ProjectPolicy;
  readonly zip: ZipWriter;
  readonly hidesDotFiles: boolean;
  readonly signal: AbortSignal;
  /** Names that are not UTF-8, by which nothing can be opened. */
  readonly unreadable: string[];
}

const listIntroduction = `These are not in this archive, because their names are not UTF-8. Rename them in a terminal; here \ufffd stands for what
cannot be read in them.
`;

/** Implements Files.archive. Rejects with the signal's reason, as `write` does, and with errors of the disk. */
export async function writeArchive(
  policy: ProjectPolicy,
  { entries, hidesDotFiles, hidesIgnored }: ArchiveRequest,
  write: (bytes: Uint8Array) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const walk = { policy, zip: makeZipWriter(write), hidesDotFiles, signal, unreadable: [] };
  for (const { path, name } of entries) {
    const kind = await openOrOmit(() => withEntryPath(path, async (place) => statsKind(await lstat(place))));
    // Everything is included in an ignored folder that was chosen.
    const rules = kind === "folder" && hidesIgnored ? await loadUnignoredRules(policy, path.relative) : null;
    if (kind !== null) await addEntry(walk, path, name, kind, rules);
  }
  await addList(walk, new Set(entries.map(({ name }) => name)));
  await walk.zip.end();
}

/** Adds the list of missing entries, under a name that no entry has. */
async function addList({ zip, unreadable }: ArchiveWalk, taken: ReadonlySet<string>): Promise<void> {
  if (unreadable.length === 0) return;
  let name = "not-in-this-archive.txt";
  while (taken.has(name)) name = `_${name}`;
  const bytes = Buffer.from(`${listIntroduction}\n${unreadable.join("\n")}\n`);
  const modifiedAt = Date.now();
  await zip.add({ name, kind: "file", modifiedAt, mode: 0o644, maxBytes: bytes.length, content: onePiece(bytes) });
}

async function addEntry(
  walk: ArchiveWalk,
  path: SafePath,
  name: string,
  kind: ReturnType<typeof statsKind>,
  rules: IgnoreRules | null,
): Promise<void> {
  walk.signal.throwIfAborted();
  if (kind === "folder") await addFolder(walk, path, name, rules);
  else if (kind === "file") await addFile(walk, path, name);
  else if (kind === "link") await addLink(walk, path, name);
}

async function addFolder(walk: ArchiveWalk, path: SafePath, name: string, rules: IgnoreRules | null): Promise<void> {
  const { policy, zip, hidesDotFiles } = walk;
  const isShown = (entry: Dirent): boolean =>
    entry.name !== ".git" && !isTemporaryName(entry.name) && !(hidesDotFiles && entry.name.startsWith("."));
  const read = await openOrOmit(() =>
    withOpenFolder(path.absolute, async (place) => ({
      stats: await stat(place),
      entries: (await readFirstEntries(place, Number.POSITIVE_INFINITY, isShown)).entries,
    })),
  );
  if (read === null) return omit(walk, name);
  const { mtimeMs, mode } = read.stats;
  await zip.add({ name, kind: "folder", modifiedAt: mtimeMs, mode, maxBytes: 0, content: noContent() });
  const turn = beginTimeSlice();
  for (const entry of read.entries) {
    if (turn.isOver()) await turn.next();
    walk.signal.throwIfAborted();
    const kind = statsKind(entry);
    if (kind === "other" || rules?.ignores(entry.name, kind === "folder")) continue;
    const inside = kind === "folder" && rules !== null ? await rules.enter(entry.name) : null;
    const child = kind === "link" ? null : childPath(path, entry.name, policy);
    const childName = `${name}/${entry.name}`;
    if (kind === "link") await addLink(walk, path, childName, entry.name);
    // A link was put in its place if the path is another one.
    else if (child?.absolute === posix.join(path.absolute, entry.name))
      await addEntry(walk, child, childName, kind, inside);
    else omit(walk, childName);
  }
}

function omit({ unreadable }: ArchiveWalk, name: string): void {
  if (isUnreadableName(name)) unreadable.push(name);
}

async function addFile(walk: ArchiveWalk, path: SafePath, name: string): Promise<void> {
  let isOpen = false;
  await openOrOmit(
    () =>
      withOpenFile(path, async (handle, stats) => {
        isOpen = true;
        const content = readWhatIsThere(toFileBytes(path.relative, handle, stats).read(0, stats.size));
        const { mtimeMs: modifiedAt, mode, size: maxBytes } = stats;
        await walk.zip.add({ name, kind: "file", modifiedAt, mode, maxBytes, content });
      }),
    () => !isOpen,
  );
  if (!isOpen) omit(walk, name);
}

/** Adds a link: `path` itself, or an entry of the folder `path`. */
async function addLink(walk: ArchiveWalk, path: SafePath, name: string, entry?: string): Promise<void> {
  const readLink = async (place: string) => ({
    stats: await lstat(place),
    target: await readlink(place, { encoding: "buffer" }),
  });
  const link = await openOrOmit(() =>
    entry === undefined
      ? withEntryPath(path, readLink)
      : withOpenFolder(path.absolute, (folder) => readLink(`${folder}/${entry}`)),
  );
  if (link === null) return omit(walk, name);
  const { mtimeMs: modifiedAt, mode } = link.stats;
  await walk.zip.add({
    name,
    kind: "link",
    modifiedAt,
    mode,
    maxBytes: link.target.length,
    content: onePiece(link.target),
  });
}

/** Returns null for an entry that is left out. `isOpening` = whether an error is one of opening it. */
async function openOrOmit<T>(open: () => Promise<T>, isOpening: () => boolean = () => true): Promise<T | null> {
  try {
    return await open();
  } catch (error) {
    if (!isOpening() || !isEntryFailure(error)) throw error;
    return null;
  }
}

/** Whether an entry was replaced, or the system cannot open it: it vanished, is locked, its disk has an error, … */
const isEntryFailure = (error: unknown): boolean =>
  error instanceof FileRefusal ||
  (error instanceof Error && "syscall" in error && !processErrors.includes(errnoName(error)));

/** Ends early for a file that became shorter. */
async function* readWhatIsThere(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    if (errnoName(error) !== "ERR_FILE_SHORTENED") throw error;
  }
}

async function* noContent(): AsyncGenerator<Uint8Array> {}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
