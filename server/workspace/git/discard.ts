/**
 * Takes back changes of the disk that are not staged. What is lost is in the trash before anything is written: a copy of a file
 * that is overwritten, and everything that is untracked.
 */
import { fail, ok, type Result } from "@/lib/events/error";
import type { TrashId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import type { ConflictSide, DiscardReport, SourceLines } from "@/lib/workspace/source-control";
import { computeHash } from "@/server/base/id";
import { ownerEntryPath, type SafePath } from "@/server/security/paths/safe-path";
import type { FileTrash } from "../files/file-trash";
import type { OpenProject } from "../projects/projects";
import { type Git, maxGitListBytes } from "./git";
import { choosePatchLines, patchSide } from "./patch/file-patch";
import { readSeenPatch } from "./patch/read-patch";
import { checkFilters, listUntracked, readIndexEntry } from "./stage";

export interface DiscardPlace {
  readonly git: Git;
  readonly project: OpenProject;
  readonly trash: Pick<FileTrash, "put" | "putCopy">;
}

/** Gives each path the content that the index has; an untracked one moves to the trash. */
export async function discardPaths(place: DiscardPlace, paths: readonly string[]): Promise<Result<DiscardReport>> {
  const saved: TrashId[] = [];
  const failed: DiscardReport["failed"][number][] = [];
  /** Paths below a file that may be one of the others. */
  const below: string[] = [];
  const discard = async (path: string, isRepeated: boolean): Promise<void> => {
    const discarded = path.endsWith("/") ? await discardFolder(place, path) : await discardFile(place, path);
    if (discarded.ok) saved.push(...discarded.value);
    else if (discarded.error.code === "not_folder" && !isRepeated) below.push(path);
    else failed.push({ path, error: discarded.error });
  };
  for (const path of paths) await discard(path, false);
  for (const path of below) await discard(path, true);
  return ok({ saved, failed });
}

/** An untracked folder moves as a whole, unless it contains ignored files, which stay. */
async function discardFolder(place: DiscardPlace, path: string): Promise<Result<readonly TrashId[]>> {
  const ignored = await place.git.run(["ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--", path], {
    maxBytes: maxGitListBytes,
  });
  if (!ignored.ok) return ignored;
  if (ignored.value.length === 0) return putInTrash(place, path.slice(0, -1));
  const files = await listUntracked(place.git, [path]);
  if (!files.ok) return files;
  if (files.value.length > maxSingleFiles) return fail("too_many", undefined, { path, limit: maxSingleFiles });
  const saved: TrashId[] = [];
  for (const file of files.value) {
    const put = await putInTrash(place, file);
    if (!put.ok) return put;
    saved.push(...put.value);
  }
  return ok(saved);
}

/** Files of a folder that move to the trash one by one. */
const maxSingleFiles = 1_000;

async function putInTrash({ project, trash }: DiscardPlace, path: string): Promise<Result<readonly TrashId[]>> {
  const safe = ownerEntryPath(path, project.policy());
  if (!safe.ok) return safe;
  const put = await trash.put(project, null, safe.value);
  return put.ok ? ok([put.value.trash]) : put;
}

/**
 * Gives a path in conflict the content of one side; the conflict stays until the path is staged. A file that this side does not have
 * moves to the trash. Fails with not_found (no conflict), bad_input (a submodule), filter_off, and like `Git.run`.
 */
export async function takeConflictSide(
  place: DiscardPlace,
  path: string,
  side: ConflictSide,
): Promise<Result<readonly TrashId[]>> {
  const listed = await place.git.run(["ls-files", "--unmerged", "-z", "--", path], { maxBytes: maxGitListBytes });
  if (!listed.ok) return listed;
  if (listed.value.length === 0) return fail("not_found", path);
  const entry = await readIndexEntry(place.git, path, indexStages[side]);
  if (!entry.ok) return entry;
  if (entry.value !== null) return discardFile(place, path, indexStages[side]);
  const put = await putInTrash(place, path);
  return !put.ok && put.error.code === "not_found" ? ok([]) : put;
}

/** Git's numbers of the entries of a path in conflict. */
const indexStages = { base: 1, ours: 2, theirs: 3 } as const;

async function discardFile(place: DiscardPlace, path: string, stage = 0): Promise<Result<readonly TrashId[]>> {
  const { git, project } = place;
  const entry = await readIndexEntry(git, path, stage);
  if (!entry.ok) return entry;
  if (entry.value === null) return putInTrash(place, path);
  if (entry.value.mode === submoduleMode) return fail("bad_input", undefined, { path });
  const filters = await checkFilters(git, [path]);
  if (!filters.ok) return filters;
  const safe = ownerEntryPath(path, project.policy());
  if (!safe.ok) return safe;
  const info = await project.files.info(safe.value);
  const isPlain = !info.ok || (info.value.kind === "file" && info.value.size <= limits.writeMaxBytes);
  if (!isPlain || !regularModes.has(entry.value.mode)) return checkOut(place, safe.value, info.ok, stage);
  const content = await git.run(["cat-file", "--filters", `:${stage}:./${path}`], { maxBytes: limits.writeMaxBytes });
  if (!content.ok) return content.error.code === "too_large" ? checkOut(place, safe.value, info.ok, stage) : content;
  return overwriteFile(place, safe.value, content.value, entry.value.mode === executableMode);
}

const executableMode = "100755";
/** A submodule is not entered: what is in its folder belongs to another repository. */
export const submoduleMode = "160000";
const regularModes: ReadonlySet<string> = new Set(["100644", executableMode]);

/** Moves what is there to the trash, and lets git create the path: a link, or a large file. */
async function checkOut(
  { git, project, trash }: DiscardPlace,
  path: SafePath,
  exists: boolean,
  stage: number,
): Promise<Result<readonly TrashId[]>> {
  const put = exists ? await trash.put(project, null, path) : null;
  if (put?.ok === false) return put;
  const command = { maxBytes: maxGitListBytes, input: `${path.relative}\0`, writes: true };
  const checkedOut = await git.run(
    ["checkout-index", ...(stage === 0 ? [] : [`--stage=${stage}`]), "-z", "--stdin"],
    command,
  );
  return checkedOut.ok ? ok(put === null ? [] : [put.value.trash]) : checkedOut;
}

/**
 * Keeps a copy of the file and writes it. Nothing is written if it changes meanwhile: since `seen` was read, of which the content was
 * made, or since the copy.
 */
export async function overwriteFile(
  { project, trash }: DiscardPlace,
  path: SafePath,
  content: Uint8Array,
  isExecutable: boolean,
  seen?: Uint8Array,
): Promise<Result<readonly TrashId[]>> {
  const { files } = project;
  const info = await files.info(path);
  if (!info.ok) {
    const created = await files.writeBytes(path, content, null, isExecutable ? 0o755 : undefined);
    return created.ok ? ok([]) : created;
  }
  const before = seen === undefined ? await files.readBytes(path, limits.writeMaxBytes) : ok(seen);
  if (!before.ok) return before;
  const copy = await trash.putCopy(project, path, before.value, info.value.mode);
  if (!copy.ok) return copy;
  const mode = isExecutable ? info.value.mode | executableBits : info.value.mode & ~executableBits;
  const written = await files.writeBytes(path, content, computeHash(before.value), mode);
  return written.ok ? ok([copy.value]) : written;
}

const executableBits = 0o111;

interface DiscardOrder {
  readonly path: string;
  /** Hash of the diff that the user saw. */
  readonly hash: string;
  readonly lines: SourceLines;
}

/**
 * Takes back lines of a file. Fails with changed_meanwhile if the file differs in another way than the user saw, filter_off for
 * a file that a filter converts, bad_input.
 */
export async function discardLines(
  place: DiscardPlace,
  { path, hash, lines }: DiscardOrder,
): Promise<Result<readonly TrashId[]>> {
  const { git, project } = place;
  const filters = await checkFilters(git, [path]);
  if (!filters.ok) return filters;
  const patch = await readSeenPatch(git, { path, side: "changed", isUntracked: false }, hash);
  if (!patch.ok) return patch;
  const part = choosePatchLines(patch.value, lines, "new");
  if (part === null) return fail("bad_input", undefined, { path });
  const safe = ownerEntryPath(path, project.policy());
  if (!safe.ok) return safe;
  const info = await project.files.info(safe.value);
  if (!info.ok) return restoreDeletedLines(place, safe.value, part.content);
  const disk = await project.files.readBytes(safe.value, limits.writeMaxBytes);
  if (!disk.ok) return disk;
  const convert = findConversion(patchSide(patch.value, "new"), Buffer.from(disk.value));
  if (convert === null) return fail("filter_off", undefined, { path, name: "" });
  const isExecutable = (info.value.mode & 0o100) !== 0;
  return overwriteFile(place, safe.value, convert(part.content ?? Buffer.alloc(0)), isExecutable, disk.value);
}

const restoreDeletedLines = (
  place: DiscardPlace,
  path: SafePath,
  content: Buffer | null,
): Promise<Result<readonly TrashId[]>> => overwriteFile(place, path, content ?? Buffer.alloc(0), false);

type Conversion = (content: Buffer) => Buffer;

/** Returns how the disk has what git compares: as it is, or with other line ends; null = converted in another way. */
function findConversion(inGit: Buffer, onDisk: Buffer): Conversion | null {
  const toCrlf: Conversion = (content) => Buffer.from(content.toString("latin1").replaceAll("\n", "\r\n"), "latin1");
  return [(content: Buffer) => content, toCrlf].find((convert) => convert(inGit).equals(onDisk)) ?? null;
}
