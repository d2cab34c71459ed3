/** Determines which file changes are still there after the file restores that followed them. Pure. */
import { asId, type Hash, type RunId } from "../events/id";
import type { Entry } from "./view";

interface LoggedChange {
  readonly seq: number;
  /** The change is a restore to this seq. */
  readonly toSeq?: number;
}

/** Returns the changes of one path that no restore undid, or that one brought back. `changes` are in log order. */
export function findRemainingChanges<Change extends LoggedChange>(changes: readonly Change[]): readonly Change[] {
  let border = Number.POSITIVE_INFINITY;
  const remaining = changes.toReversed().filter(({ seq, toSeq }) => {
    if (seq > border) return false;
    border = toSeq ?? border;
    return toSeq === undefined;
  });
  return remaining.reverse();
}

/** A change with the file's hashes, null = no file; `runId` null = a restore. */
interface PathChange extends LoggedChange {
  readonly runId: RunId | null;
  readonly before: Hash | null;
  readonly after: Hash | null;
}

const runsOf = (changes: readonly PathChange[]): readonly RunId[] =>
  changes.flatMap(({ runId }) => (runId === null ? [] : [runId]));

/** Returns the runs that changed files and whose changes are all undone. `entries` are those of the path, in order. */
export function findUndoneRuns(entries: readonly Entry[]): ReadonlySet<RunId> {
  const undone = new Set<RunId>();
  if (!entries.some(({ kind }) => kind === "restore")) return undone;
  const paths = [...readChangesByPath(entries).values()];
  for (const runId of paths.flatMap(runsOf)) undone.add(runId);
  for (const runId of paths.flatMap((changes) => runsOf(findRemainingChanges(changes)))) undone.delete(runId);
  return undone;
}

/** Whether runs that started after `seq`, and not at it, have changes that are still there. */
export function hasLaterChanges(entries: readonly Entry[], seq: number): boolean {
  const later = new Set(
    entries.flatMap((entry) => (entry.kind === "run_start" && entry.from > seq ? [entry.runId] : [])),
  );
  const paths = [...readChangesByPath(entries).values()];
  return paths.some((changes) => runsOf(findRemainingChanges(changes)).some((runId) => later.has(runId)));
}

function readChangesByPath(entries: readonly Entry[]): ReadonlyMap<string, readonly PathChange[]> {
  const paths = new Map<string, PathChange[]>();
  let runId: RunId | null = null;
  for (const entry of entries) {
    const { seq } = entry;
    if (entry.kind === "run_start") ({ runId } = entry);
    else if (entry.kind === "message")
      for (const { path, before, after } of entry.calls.flatMap((call) => call.changes ?? [])) {
        const change = { seq, runId, before: before === null ? null : asId<Hash>(before), after };
        const listed = paths.get(path);
        if (listed === undefined) paths.set(path, [change]);
        else listed.push(change);
      }
    else if (entry.kind === "restore") {
      const { toSeq, files } = entry;
      // A deleted folder is one change; a restore lists its files.
      const isRestored = (path: string): boolean =>
        files.some((file) => file.path === path || file.path.startsWith(`${path}/`));
      for (const [path, changes] of paths)
        if (isRestored(path) || hasSameContent(changes, toSeq))
          changes.push({ seq, toSeq, runId: null, before: null, after: null });
    }
  }
  return paths;
}

/** Whether the file is as it was at `toSeq`, so that a restore leaves it out: created and deleted since, for example. */
function hasSameContent(changes: readonly PathChange[], toSeq: number): boolean {
  const [first] = findRemainingChanges(changes).filter(({ seq }) => seq > toSeq);
  const last = findRemainingChanges(changes).at(-1);
  // Without a hash before and after, the file existed and its content is not stored.
  if (first === undefined || last === undefined || (first.before === null && first.after === null)) return false;
  return first.before === last.after;
}
