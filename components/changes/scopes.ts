/** Which places of a session's log the Changes view compares. Pure; asked by changes-pane. */
import { reversals } from "@/lib/restores";
import { newestRun, pathBack, type SessionView } from "@/lib/view";
import type { ChangeScope, Workbench } from "../state/workbench-store";

export type Scope = ChangeScope;

export interface Range {
  /** The state of the files at this seq … */
  readonly from: number;
  /** … against what the session left at this one; absent = last. */
  readonly to?: number;
}

/** null = there is no such run. `earlier` = the run that was asked for, of any session. */
export function rangeOf(
  view: SessionView,
  scope: Exclude<Scope, "tree">,
  earlier: Workbench["earlier"] = null,
): Range | null {
  if (scope === "session") return view.seq === 0 ? null : { from: 0 };
  if (scope === "earlier")
    return earlier === null || earlier.sessionId !== view.sessionId ? null : { from: earlier.from, to: earlier.to };
  const run = newestRun(view);
  return run === undefined ? null : { from: run.from };
}

/** What the user did to files after the last run: undid changes, or brought undone ones back. */
export interface FileRestore {
  readonly kind: "undone" | "broughtBack";
  readonly files: number;
  /** Restoring to here reverses it. */
  readonly before: number;
}

/** null = nothing was restored since the last run began. */
export function restoreOf(view: SessionView): FileRestore | null {
  const restores = [];
  let isAfterRun = true;
  let newest: number | null = null;
  for (const entry of pathBack(view)) {
    if (entry.kind === "run_start") isAfterRun = false;
    if (entry.kind !== "restore") continue;
    if (isAfterRun && newest === null) newest = entry.seq;
    restores.push(entry);
  }
  const last = restores.find(({ seq }) => seq === newest);
  if (last === undefined) return null;
  return {
    kind: reversals(restores.reverse()).has(last.seq) ? "broughtBack" : "undone",
    files: last.files.length,
    before: last.seq - 1,
  };
}

/** What the Changes view tries when it opens on a scope without changes, the newest first. */
const byAge = ["run", "session", "tree"] as const satisfies readonly Scope[];

/**
 * The scope to show while the view opens: the chosen one, or when nothing changed in it the newest other that has changes.
 * `isEmpty` = whether a scope has none, undefined = not known yet. Null = that has to be known first.
 */
export function openingScope(chosen: Scope, isEmpty: (scope: Scope) => boolean | undefined): Scope | null {
  for (const scope of [chosen, ...byAge.filter((one) => one !== chosen)]) {
    const empty = isEmpty(scope);
    if (empty === undefined) return null;
    if (!empty) return scope;
  }
  return chosen;
}

/** Changes whenever the session changed files: what was compared before is out of date. */
export function stampOf(view: SessionView): string {
  let restored = 0;
  for (const entry of pathBack(view)) {
    if (entry.kind !== "restore") continue;
    restored = entry.seq;
    break;
  }
  return [view.added, view.removed, restored, view.run?.runId ?? "", view.rewound ? view.newest : ""].join(":");
}
