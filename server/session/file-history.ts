/**
 * What a session did to files, from its log in the order it was written: a rewind hides words, it does not undo files. Pure;
 * used by file-changes.ts and restore.ts.
 */
import { asId, type BlobId, type Hash } from "@/lib/id";
import type { FileRecord } from "../store/file-log";

/** A file as it stood before a change. `blob` null with a `mode` over 0: it was there, its content is not kept. */
export interface FileState {
  readonly blob: BlobId | null;
  /** permission bits; 0 = nothing stood there */
  readonly mode: number;
}

/** null = nothing is there; `told` false = the session does not know, since it was cut off: `hash` is what it was before that. */
export interface Left {
  readonly hash: Hash | null;
  readonly told: boolean;
}

export interface PathHistory {
  readonly path: string;
  /** What stood there before each change, in order of seq. */
  readonly befores: readonly (FileState & { readonly seq: number })[];
  /** As the session left it last. */
  readonly left: Left;
}

interface Growing {
  readonly befores: (FileState & { readonly seq: number })[];
  left: Left;
}

/** By path, in the order in which they were first changed. */
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
  const left: Left = { hash: hashOfBlob(before.blob), told: false };
  if (known === undefined) found.set(path, { befores: [before], left });
  else {
    known.befores.push(before);
    known.left = left;
  }
}

/** A folder that is gone took with it what was in it. */
function leave(found: Map<string, Growing>, path: string, after: Hash | null): void {
  const left: Left = { hash: after, told: true };
  const known = found.get(path);
  if (known !== undefined) known.left = left;
  if (after !== null) return;
  for (const [below, one] of found) if (below.startsWith(`${path}/`)) one.left = left;
}

/** Blobs are named by the sha256 of their bytes, as files are compared. */
const hashOfBlob = (blob: BlobId | null): Hash | null => (blob === null ? null : asId<Hash>(blob));

/** The state at `seq`: what stood there before the first change after it; undefined = none came, it is as it was left. */
export const stateAt = (history: PathHistory, seq: number): FileState | undefined =>
  history.befores.find((before) => before.seq > seq);

/** Its content cannot be had again. */
export const isLost = (state: FileState): boolean => state.blob === null && state.mode !== 0;

/** `now` = hash of what is on disk, null = nothing: not what the session left there. */
export const isForeign = ({ left }: PathHistory, now: Hash | null): boolean => left.hash !== now;
