/** Reads a path in conflict: its versions in the index, and the regions that are marked in the file. Runs no program of the repository. */
import { fail, ok, type Result } from "@/lib/events/error";
import { findConflictMarkers } from "@/lib/text/conflict-markers";
import type { ConflictSide, SourceDiff } from "@/lib/workspace/source-control";
import type { ConflictVersion, ShownRegion, SourceConflict } from "@/lib/workspace/source-conflict";
import { computeHash } from "@/server/base/id";
import { ownerEntryPath } from "@/server/security/paths/safe-path";
import { decodeTextOrNull } from "../../encoding/text-encoding";
import type { OpenProject } from "../../projects/projects";
import { submoduleMode } from "../discard";
import { type Git, maxGitListBytes } from "../git";
import { readBlobDiff } from "../patch/read-patch";

/** Bytes of a file whose regions are shown. */
export const maxConflictBytes = 2_000_000;
const maxRegions = 200;
/** Characters of one side of a region. */
const maxSideChars = 20_000;
const shortObjectChars = 8;

export interface ConflictPlace {
  readonly git: Git;
  readonly project: OpenProject;
}

/** An entry of the index for one side. */
export interface ConflictEntry {
  readonly mode: string;
  readonly object: string;
}

export type ConflictEntries = Readonly<Record<ConflictSide, ConflictEntry | null>>;

const kinds: { readonly [mode: string]: ConflictVersion["kind"] | undefined } = {
  "120000": "link",
  [submoduleMode]: "submodule",
};

/** Returns the entries of a path in conflict. Fails with not_found if it is not in conflict, and like `Git.run`. */
export async function readConflictEntries(git: Git, path: string): Promise<Result<ConflictEntries>> {
  const listed = await git.run(["ls-files", "--unmerged", "-z", "--", path], { maxBytes: maxGitListBytes });
  if (!listed.ok) return listed;
  const found = parseStages(listed.value, path);
  return found.size === 0 ? fail("not_found", path) : ok(toSides(found));
}

/** Parses the entries of one path in a list of git, by stage. */
export function parseStages(list: Buffer, path: string): ReadonlyMap<string, ConflictEntry> {
  const found = new Map<string, ConflictEntry>();
  for (const field of list.toString("utf8").split("\0")) {
    const [, mode, object, stage] = /^(\d+) ([0-9a-f]+) ([123])\t/.exec(field) ?? [];
    if (mode === undefined || object === undefined || stage === undefined) continue;
    if (field.slice(field.indexOf("\t") + 1) === path) found.set(stage, { mode, object });
  }
  return found;
}

const toSides = (found: ReadonlyMap<string, ConflictEntry>): ConflictEntries => ({
  base: found.get("1") ?? null,
  ours: found.get("2") ?? null,
  theirs: found.get("3") ?? null,
});

/** Returns what is shown of a path in conflict. Fails with not_found, and like `Git.run`. */
export async function readConflict(place: ConflictPlace, path: string): Promise<Result<SourceConflict>> {
  const entries = await readConflictEntries(place.git, path);
  if (!entries.ok) return entries;
  const { base, ours, theirs } = entries.value;
  const sides = { base: toVersion(base), ours: toVersion(ours), theirs: toVersion(theirs) };
  const none = { sides, hash: null, regions: [], more: 0, looseLine: null, now: null };
  if (Object.values(sides).some((one) => one !== null && one.kind !== "file")) return ok(none);
  const disk = await readDisk(place, path);
  if (!disk.ok) return disk.error.code === "too_large" ? ok({ ...none, why: "too_large" }) : disk;
  if (disk.value === null) return ok({ ...none, now: findAbsentSide(entries.value) });
  const hash = computeHash(disk.value);
  const now = await findSameSide(place.git, path, entries.value);
  const text = decodeTextOrNull(disk.value);
  if (text === null) return ok({ ...none, hash, now, why: "binary" });
  const { regions, looseLine } = findConflictMarkers(text, await readMarkerChars(place.git, path));
  const shown = regions.slice(0, maxRegions).map(toShown);
  return ok({ sides, hash, regions: shown, more: regions.length - shown.length, looseLine, now });
}

const toVersion = (entry: ConflictEntry | null): ConflictVersion | null =>
  entry && { kind: kinds[entry.mode] ?? "file", object: entry.object.slice(0, shortObjectChars) };

/** Returns the regular file of the project; null = there is none. Fails with too_large. */
export async function readDisk({ project }: ConflictPlace, path: string): Promise<Result<Buffer | null>> {
  const safe = ownerEntryPath(path, project.policy());
  if (!safe.ok) return safe;
  const info = await project.files.info(safe.value);
  if (!info.ok || info.value.kind !== "file") return ok(null);
  const bytes = await project.files.readBytes(safe.value, maxConflictBytes);
  return bytes.ok ? ok(Buffer.from(bytes.value)) : bytes;
}

/** Returns the length of the markers of a path: an attribute may set it. */
export async function readMarkerChars(git: Git, path: string): Promise<number | undefined> {
  const listed = await git.run(["check-attr", "-z", "conflict-marker-size", "--", path], { maxBytes: maxGitListBytes });
  const value = listed.ok ? Number(listed.value.toString("utf8").split("\0")[2]) : 0;
  return Number.isInteger(value) && value > 0 && value <= maxMarkerChars ? value : undefined;
}

const maxMarkerChars = 1_000;

const findAbsentSide = ({ ours, theirs, base }: ConflictEntries): ConflictSide | null =>
  ours === null ? "ours" : theirs === null ? "theirs" : base === null ? "base" : null;

/** Returns the side whose content git would store for the file as it is on the disk. */
async function findSameSide(git: Git, path: string, entries: ConflictEntries): Promise<ConflictSide | null> {
  const hashed = await git.run(["hash-object", `--path=${path}`, "--", path], { maxBytes: maxGitListBytes });
  const object = hashed.ok ? hashed.value.toString("utf8").trim() : null;
  const sides = ["ours", "theirs", "base"] as const;
  return sides.find((side) => object !== null && entries[side]?.object === object) ?? null;
}

function toShown({
  line,
  ours,
  theirs,
  base,
  names,
}: ReturnType<typeof findConflictMarkers>["regions"][number]): ShownRegion {
  const cut = (text: string): string => text.slice(0, maxSideChars);
  const isCut = [ours, theirs, base ?? ""].some(({ length }) => length > maxSideChars);
  return {
    line,
    ours: cut(ours),
    theirs: cut(theirs),
    base: base === null ? null : cut(base),
    names,
    ...(isCut ? { isCut: true as const } : {}),
  };
}

/** Returns the difference between two sides of a path. Fails with not_found if one of them does not have it, and like `Git.run`. */
export async function readConflictDiff(
  git: Git,
  { path, from, to }: { readonly path: string; readonly from: ConflictSide; readonly to: ConflictSide },
  signal: AbortSignal,
): Promise<Result<SourceDiff>> {
  const entries = await readConflictEntries(git, path);
  if (!entries.ok) return entries;
  const [old, now] = [entries.value[from], entries.value[to]];
  if (old === null || now === null) return fail("not_found", path);
  return readBlobDiff(git, old.object, now.object, signal);
}
