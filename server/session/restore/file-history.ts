/**
 * Changes a session made to files, from its log in order of writing: a rewind hides messages, it does not undo file
 * changes. Pure.
 */
import { asId, type BlobId, type Hash } from "@/lib/events/id";
import { findRemainingChanges } from "@/lib/view/remaining-changes";
import type { FileLogRecord } from "@/server/store/sessions/file-log";

/** A file before a change. `blob` null with a `mode` over 0: it existed, its content is not stored. */
export interface FileState {
  readonly blob: BlobId | null;
  /** Permission bits; 0 = nothing existed. */
  readonly mode: number;
}

interface LeftState {
  /** null = no file. */
  readonly hash: Hash | null;
  /** false = unknown because the call was interrupted: `hash` is the state before it. */
  readonly isCertain: boolean;
}

/** `toSeq` = the change is a restore to this seq. */
interface StateBefore extends FileState {
  readonly seq: number;
  readonly toSeq?: number;
}

export interface PathHistory {
  readonly path: string;
  /** States before each change, in order of seq. */
  readonly statesBefore: readonly StateBefore[];
  /** State the session left last. */
  readonly leftState: LeftState;
}

interface MutableHistory {
  readonly statesBefore: StateBefore[];
  leftState: LeftState;
}

/** By path, in order of their first change. */
export function buildFileHistory(records: readonly FileLogRecord[]): ReadonlyMap<string, PathHistory> {
  const found = new Map<string, MutableHistory>();
  for (const record of records) {
    if (record.kind === "left") {
      for (const { path, after } of record.files) recordLeft(found, path, after);
      continue;
    }
    const files = record.kind === "before" ? [record] : record.files;
    const { seq } = record;
    const restored = record.kind === "restore" ? { toSeq: record.toSeq } : {};
    for (const { path, before, mode } of files) addChange(found, path, { seq, ...restored, blob: before, mode });
    if (record.kind === "restore") for (const { path, after } of record.files) recordLeft(found, path, blobHash(after));
  }
  return new Map([...found].map(([path, history]) => [path, { path, ...history }]));
}

function addChange(found: Map<string, MutableHistory>, path: string, before: StateBefore): void {
  const history = found.get(path);
  const left: LeftState = { hash: blobHash(before.blob), isCertain: false };
  if (history === undefined) found.set(path, { statesBefore: [before], leftState: left });
  else {
    history.statesBefore.push(before);
    history.leftState = left;
  }
}

/** Records the state left at a path; a deleted folder also deletes the files in it. */
function recordLeft(found: Map<string, MutableHistory>, path: string, after: Hash | null): void {
  const left: LeftState = { hash: after, isCertain: true };
  const history = found.get(path);
  if (history !== undefined) history.leftState = left;
  if (after !== null) return;
  for (const [below, one] of found) if (below.startsWith(`${path}/`)) one.leftState = left;
}

/** Blobs are named by the sha256 of their bytes, which is also the hash of files. */
const blobHash = (blob: BlobId | null): Hash | null => (blob === null ? null : asId<Hash>(blob));

/**
 * The state at `seq`: the state before the first change after it; undefined = no change followed, the file is as it was
 * left.
 */
export const stateAt = (history: PathHistory, seq: number): FileState | undefined =>
  history.statesBefore.find((before) => before.seq > seq);

/** Whether a restore to a state before `seq` left nothing at this path that was changed after `seq`. */
export const isRestoredBeyond = ({ statesBefore }: PathHistory, seq: number): boolean =>
  statesBefore.some((change) => change.seq > seq && change.toSeq !== undefined && change.toSeq < seq) &&
  findRemainingChanges(statesBefore).every((change) => change.seq <= seq);

/** True when the content is not stored. */
export const isContentLost = (state: FileState): boolean => state.blob === null && state.mode !== 0;

/** Whether the file on disk differs from its last state in the session. `now` = its hash, null = no file. */
export const differsFromLeft = ({ leftState }: PathHistory, now: Hash | null): boolean => leftState.hash !== now;
