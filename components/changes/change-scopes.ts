/** Computes the log range that the Changes view compares. Pure. */
import { findUndoneRuns } from "@/lib/view/remaining-changes";
import { reversingRestores } from "@/lib/view/reversing-restores";
import { newestRun } from "@/lib/view/newest-run";
import { pathEntries, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import type { ChangeScope, Workbench } from "../state/workbench/workbench-store";

export type Scope = ChangeScope;

/** The scopes that compare two states of the session's log. */
export type RangeScope = Exclude<Scope, "undecided" | "tree">;

export const isRangeScope = (scope: Scope): scope is RangeScope => scope !== "undecided" && scope !== "tree";

interface ChangeRange {
  /** seq of the older file state. */
  readonly from: number;
  /** seq of the newer file state; absent = the latest. */
  readonly to?: number;
}

/** Returns the range of a scope; null = no such run. `earlierRun` = the requested run, of any session. */
export function findChangeRange(
  view: SessionView,
  scope: RangeScope,
  earlier: Workbench["earlierRun"] = null,
): ChangeRange | null {
  if (scope === "session") return view.seq === 0 ? null : { from: 0 };
  if (scope === "earlier")
    return earlier === null || earlier.sessionId !== view.sessionId ? null : { from: earlier.from, to: earlier.to };
  const run = newestRun(view);
  return run === undefined ? null : { from: run.from };
}

/** Whether the changes of the run that started at `from` are undone. */
export function isUndoneRun(view: SessionView, from: number): boolean {
  const entries = pathEntries(view);
  const start = entries.find((entry) => entry.kind === "run_start" && entry.from === from);
  return start?.kind === "run_start" && findUndoneRuns(entries).has(start.runId);
}

/** The user's newest file restore after the last run: changes undone, or redone. */
interface FileRestore {
  readonly kind: "undone" | "redone";
  readonly files: number;
  /** Restoring to this seq reverses it. */
  readonly before: number;
}

/** Returns the newest restore since the last run started; null = none. */
export function findNewestRestore(view: SessionView): FileRestore | null {
  const restores = [];
  let isAfterRun = true;
  let newest: number | null = null;
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "run_start") isAfterRun = false;
    if (entry.kind !== "restore") continue;
    if (isAfterRun && newest === null) newest = entry.seq;
    restores.push(entry);
  }
  const last = restores.find(({ seq }) => seq === newest);
  if (last === undefined) return null;
  return {
    kind: reversingRestores(restores.reverse()).has(last.seq) ? "redone" : "undone",
    files: last.files.length,
    before: last.seq - 1,
  };
}

/** Fallback scopes if the chosen one has no changes, newest first. */
const scopesNewestFirst = ["undecided", "run", "session", "tree"] as const satisfies readonly Scope[];

/**
 * Returns the scope to show while the view opens: the chosen one, or the newest other scope that has changes.
 * `isEmpty` returns undefined while a scope is loading; null = the result depends on such a scope.
 */
export function chooseOpeningScope(chosen: Scope, isEmpty: (scope: Scope) => boolean | undefined): Scope | null {
  for (const scope of [chosen, ...scopesNewestFirst.filter((one) => one !== chosen)]) {
    const empty = isEmpty(scope);
    if (empty === undefined) return null;
    if (!empty) return scope;
  }
  return chosen;
}

/** Cache key that changes whenever the session's file changes, or the decisions about them, do. */
export function buildChangesKey(view: SessionView): string {
  let written = 0;
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind !== "restore" && entry.kind !== "review") continue;
    written = entry.seq;
    break;
  }
  return [view.added, view.removed, written, view.run?.runId ?? "", view.rewound ? view.newest : ""].join(":");
}
