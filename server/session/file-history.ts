/**
 * Changes a session made to files, from its log in order of writing: a rewind hides messages, it does not undo file
 * changes. Pure.
 */
import { asId, type BlobId, type Hash } from "@/lib/id";
import type { FileRecord } from "../store/file-log";

/** A file before a change. `blob` null with a `mode` over 0: it existed, its content is not stored. */
export interface FileState {
  readonly blob: BlobId | null;
  /** Permission bits; 0 = nothing existed. */
  readonly mode: number;
}

export interface Left {
  /** null = no file. */
  readonly hash: Hash | null;
  /** false = unknown because the call was interrupted: `hash` is the state before it. */
  readonly isCertain: boolean;
}

export interface PathHistory {
  readonly path: string;
  /** States before each change, in order of seq. */
  readonly befores: readonly (FileState & { readonly seq: number })[];
  /** State the session left last. */
  readonly left: Left;
}

interface Growing {
  readonly befores: (FileState & { readonly seq: number })[];
  left: Left;
}

/** By path, in order of their first change. */
export function fileHistory(records: readonly FileRecord[]): ReadonlyMap<string, PathHistory> {
  const found = new Map<string, Growing>();
  for (const record of records) {
    if (record.kind === "left") {
      for (const { path, after } of record.files) leave(found, path, after);
      continue;
    }
    const files = record.kind === "before" ? [record] : record.files;
    for (const { path, before, mode } of files) grow(found, path, { seq: record.seq, blob: before, mode });
    if (record.kind === "restore") for (const { path, after } of record.files) leave(found, path, hashOfBlob(after));
  }
  return new Map([...found].map(([path, { befores, left }]) => [path, { path, befores, left }]));
}

function grow(found: Map<string, Growing>, path: string, before: FileState & { readonly seq: number }): void {
  const known = found.get(path);
  const left: Left = { hash: hashOfBlob(before.blob), isCertain: false };
  if (known === undefined) found.set(path, { befores: [before], left });
  else {
    known.befores.push(before);
    known.left = left;
  }
}

/** Records the state left at a path; a deleted folder also deletes the files in it. */
function leave(found: Map<string, Growing>, path: string, after: Hash | null): void {
  const left: Left = { hash: after, isCertain: true };
  const known = found.get(path);
  if (known !== undefined) known.left = left;
  if (after !== null) return;
  for (const [below, one] of found) if (below.startsWith(`${path}/`)) one.left = left;
}

/** Blobs are named by the sha256 of their bytes, which is also the hash of files. */
const hashOfBlob = (blob: BlobId | null): Hash | null => (blob === null ? null : asId<Hash>(blob));

/**
 * The state at `seq`: the state before the first change after it; undefined = no change followed, the file is as it was
 * left.
 */
export const stateAt = (history: PathHistory, seq: number): FileState | undefined =>
  history.befores.find((before) => before.seq > seq);

/** True when the content is not stored. */
export const isLost = (state: FileState): boolean => state.blob === null && state.mode !== 0;

/** `now` = hash of the file on disk, null = no file; true when the session did not leave it so. */
export const isForeign = ({ left }: PathHistory, now: Hash | null): boolean => left.hash !== now;
