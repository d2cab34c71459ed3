/** Finds the newest run of a path. Pure. */
import { type Entry, type ModelState, pathEntriesBackward, type SessionView } from "./view";

/** Returns the newest run_start of the path; undefined = none, or not loaded. */
export function newestRun(view: SessionView): Extract<Entry, { kind: "run_start" }> | undefined {
  for (const entry of pathEntriesBackward(view)) if (entry.kind === "run_start") return entry;
  return undefined;
}

/** Whether a run began with this model; the runs of another server have counts of their own. */
export const isRunOf = (
  run: Extract<Entry, { kind: "run_start" }>,
  { model, provider }: Pick<ModelState, "model" | "provider">,
): boolean => (run.model ?? model) === model && (run.provider ?? provider) === provider;
