/** Resolves a path in conflict: regions of the file, the mark that it is resolved, and its undo. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { TrashId } from "@/lib/events/id";
import { type ConflictRegion, type ConflictTake, findConflictMarkers, takeRegion } from "@/lib/text/conflict-markers";
import type { ConflictSide } from "@/lib/workspace/source-control";
import type { RegionChoice } from "@/lib/workspace/source-conflict";
import { computeHash } from "@/server/base/id";
import { ownerEntryPath } from "@/server/security/paths/safe-path";
import { readConflicts } from "../commit/commit";
import { type DiscardPlace, overwriteFile, submoduleMode } from "../discard";
import { type Git, maxGitListBytes } from "../git";
import { findGitFolders } from "../git-folders";
import { readOperation } from "../source-status";
import { readIndexEntry, stagePaths, writeIndexEntry } from "../stage";
import { readGitBlobs } from "../working-tree";
import { type ConflictEntries, parseStages, readConflictEntries, readDisk, readMarkerChars } from "./read-conflict";

interface RegionsOrder {
  readonly path: string;
  /** Hash of the file that the user saw. */
  readonly hash: string;
  readonly choices: readonly RegionChoice[];
}

/**
 * Replaces marked regions of a file by one side or both; the rest stays byte for byte. A copy of the file is in the trash before.
 * Fails with not_found (no conflict), changed_meanwhile, bad_input (no such region, or no common version), and like `Git.run`.
 */
export async function resolveRegions(
  place: DiscardPlace,
  { path, hash, choices }: RegionsOrder,
): Promise<Result<readonly TrashId[]>> {
  const entries = await readConflictEntries(place.git, path);
  if (!entries.ok) return entries;
  const disk = await readDisk(place, path);
  if (!disk.ok) return disk;
  if (disk.value === null || computeHash(disk.value) !== hash) return fail("changed_meanwhile", undefined, { path });
  // One character per byte: markers are ASCII, the text may have any encoding.
  const text = disk.value.toString("latin1");
  const { regions } = findConflictMarkers(text, await readMarkerChars(place.git, path));
  const sides = await readLastLines(place.git, entries.value);
  if (!sides.ok) return sides;
  let result = "";
  let at = 0;
  for (const [index, region] of regions.entries()) {
    const choice = choices.findLast((one) => one.region === index);
    const lines = choice === undefined ? text.slice(region.from, region.to) : takeRegion(region, choice.take);
    if (lines === null) return fail("bad_input", undefined, { path });
    const isEnd = choice !== undefined && region.to === text.length;
    result +=
      text.slice(at, region.from) + (isEnd ? endAs(lines, sides.value[lastSideOf(region, choice.take)]) : lines);
    at = region.to;
  }
  if (choices.some(({ region }) => region >= regions.length)) return fail("bad_input", undefined, { path });
  const safe = ownerEntryPath(path, place.project.policy());
  if (!safe.ok) return safe;
  const info = await place.project.files.info(safe.value);
  const isExecutable = info.ok && (info.value.mode & 0o100) !== 0;
  const content = Buffer.from(result + text.slice(at), "latin1");
  return overwriteFile(place, safe.value, content, isExecutable, disk.value);
}

type EndsWithoutLine = Readonly<Record<ConflictSide, boolean>>;

/** Returns which sides end without a line end: git adds one before a marker. */
async function readLastLines(git: Git, entries: ConflictEntries): Promise<Result<EndsWithoutLine>> {
  const blobs = await readGitBlobs(
    git,
    Object.values(entries).flatMap((entry) => (entry === null ? [] : [entry.object])),
  );
  if (!blobs.ok) return blobs;
  const isOpen = (side: ConflictSide): boolean => {
    const last = blobs.value.get(entries[side]?.object ?? "")?.at(-1);
    return last !== undefined && last !== 0x0a;
  };
  return ok({ base: isOpen("base"), ours: isOpen("ours"), theirs: isOpen("theirs") });
}

/** The side whose lines are the last ones. */
const lastSideOf = ({ theirs }: ConflictRegion, take: ConflictTake): ConflictSide =>
  take !== "both" ? take : theirs === "" ? "ours" : "theirs";

const endAs = (lines: string, isOpen: boolean): string => (isOpen ? lines.replace(/\r?\n$/, "") : lines);

interface ResolvedOrder {
  readonly path: string;
  /** Markers that are left in the file are meant. */
  readonly anyway: boolean;
  /** The commit of a submodule. */
  readonly side?: ConflictSide;
}

/**
 * Stages a path in conflict as it is on the disk; of a submodule the commit of one side, without entering it. Fails with not_found,
 * conflicts_left if the file has markers, bad_input, filter_off, and like `Git.run`.
 */
export async function markResolved(place: DiscardPlace, { path, anyway, side }: ResolvedOrder): Promise<Result<null>> {
  const { git } = place;
  const entries = await readConflictEntries(git, path);
  if (!entries.ok) return entries;
  if (side !== undefined) return stageSubmodule(git, path, entries.value, side);
  const marked = anyway ? ok(false) : await hasMarkers(place, path);
  if (!marked.ok) return marked;
  return marked.value ? fail("conflicts_left", undefined, { path, files: 1 }) : stagePaths(git, [path]);
}

async function stageSubmodule(
  git: Git,
  path: string,
  entries: ConflictEntries,
  side: ConflictSide,
): Promise<Result<null>> {
  const entry = entries[side];
  if (entry !== null && entry.mode !== submoduleMode) return fail("bad_input", undefined, { path });
  const updated = await writeIndexEntry(git, path, entry);
  return updated.ok ? ok(null) : updated;
}

async function hasMarkers(place: DiscardPlace, path: string): Promise<Result<boolean>> {
  const disk = await readDisk(place, path);
  if (!disk.ok) return disk.error.code === "too_large" ? ok(false) : disk;
  if (disk.value === null) return ok(false);
  const chars = await readMarkerChars(place.git, path);
  const { regions, looseLine } = findConflictMarkers(disk.value.toString("latin1"), chars);
  return ok(regions.length > 0 || looseLine !== null);
}

/** Stages paths as they are on the disk. Fails with conflicts_left if one in conflict has markers, and like `stagePaths`. */
export async function stageWithoutMarkers(place: DiscardPlace, paths: readonly string[]): Promise<Result<null>> {
  const conflicts = await readConflicts(place.git);
  if (!conflicts.ok) return conflicts;
  const chosen = new Set(paths);
  for (const path of conflicts.value.filter((one) => chosen.has(one))) {
    const marked = await hasMarkers(place, path);
    if (!marked.ok) return marked;
    if (marked.value) return fail("conflicts_left", undefined, { path, files: 1 });
  }
  return stagePaths(place.git, paths);
}

/**
 * Puts a path back in conflict, as git keeps it; the file stays. Fails with not_found if git has nothing kept, or a commit has been
 * made since, and like `Git.run`.
 */
export async function reopenConflict({ git }: Pick<DiscardPlace, "git">, path: string): Promise<Result<null>> {
  const listed = await git.run(["ls-files", "--resolve-undo", "-z", "--", path], { maxBytes: maxGitListBytes });
  if (!listed.ok) return listed;
  const entries = parseStages(listed.value, path);
  const [first] = entries.values();
  if (first === undefined || (await isCommitted(git, path, entries))) return fail("not_found", path);
  const lines = [...entries].map(([stage, { mode, object }]) => `${mode} ${object} ${stage}\t${git.prefix}${path}\0`);
  const input = `0 ${"0".repeat(first.object.length)}\t${git.prefix}${path}\0${lines.join("")}`;
  const updated = await git.whole.run(["update-index", "-z", "--index-info"], {
    maxBytes: maxGitListBytes,
    input,
    writes: true,
  });
  return updated.ok ? ok(null) : updated;
}

/** Git keeps the entries also after a commit, whose content is another one than ours, or without unfinished work the resolution. */
async function isCommitted(git: Git, path: string, entries: ReturnType<typeof parseStages>): Promise<boolean> {
  const found = await git.run(["rev-parse", "--verify", "--quiet", `HEAD:./${path}`], { maxBytes: maxGitListBytes });
  const head = found.ok ? found.value.toString("utf8").trim() : undefined;
  if (head !== entries.get("2")?.object) return true;
  if ((await readOperation((await findGitFolders(git.top)).own)) !== null) return false;
  const staged = await readIndexEntry(git, path);
  return staged.ok && staged.value?.object === head;
}
