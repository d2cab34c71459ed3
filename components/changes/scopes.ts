/** Which places of a session's log the Changes view compares. Pure; asked by changes-pane. */
import { newestRun, pathBack, type SessionView } from "@/lib/view";

export type Scope = "run" | "session" | "tree";

export interface Range {
  /** The state of the files at this seq … */
  readonly from: number;
  /** … against what the session left at this one; absent = last. */
  readonly to?: number;
}

/** null = there is no run yet. */
export function rangeOf(view: SessionView, scope: Exclude<Scope, "tree">): Range | null {
  if (scope === "session") return view.seq === 0 ? null : { from: 0 };
  const run = newestRun(view);
  return run === undefined ? null : { from: run.from };
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
