/** Finds the newest run of a path. Pure. */
import { type Entry, pathEntriesBackward, type SessionView } from "./view";

/** Returns the newest run_start of the path; undefined = none, or not loaded. */
export function newestRun(view: SessionView): Extract<Entry, { kind: "run_start" }> | undefined {
  for (const entry of pathEntriesBackward(view)) if (entry.kind === "run_start") return entry;
  return undefined;
}
