/** Finds entries that belong to the end of a run: its start, its request and the error that paused or ended it. Pure. */
import type { AgentError } from "@/lib/events/error";
import type { Entry, MessageEntry } from "@/lib/view/view";

type EntryOf<K extends Entry["kind"]> = Extract<Entry, { kind: K }>;

/** Returns the error right before the end of a paused run. */
export const findPauseCause = (before: Entry | undefined, end: EntryOf<"run_end">): { readonly cause?: AgentError } =>
  end.reason === "limit" && before?.kind === "error" ? { cause: before.error } : {};

/** Index of the start of the run whose end is at `end`; -1 = not loaded. */
export function findRunStart(entries: readonly Entry[], end: number): number {
  let start = end - 1;
  while (start >= 0 && entries[start]?.kind !== "run_start") start -= 1;
  return start;
}

/** Returns the user message that started the run whose end is at `end`. */
export function findRunRequest(entries: readonly Entry[], end: number): MessageEntry | undefined {
  const start = findRunStart(entries, end);
  const first = start < 0 ? undefined : entries[start + 1];
  return first?.kind === "message" && first.role === "user" ? first : undefined;
}

/** Whether the run ended with this error and is not paused. */
export const endsRunWithError = (after: Entry | undefined): boolean =>
  after?.kind === "run_end" && after.reason === "error";
