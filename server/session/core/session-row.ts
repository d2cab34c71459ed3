/** Row of the session list, derived from the view; written in the transaction of the events it summarizes. */
import type { SessionStatus } from "@/lib/protocol/session-row";
import { sessionActivity, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import type { SessionRowPatch } from "@/server/store/sessions/events";

export function sessionStatus(view: SessionView): SessionStatus {
  const activity = sessionActivity(view);
  if (activity !== "idle") return activity;
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "run_end") return entry.reason === "done" ? "idle" : entry.reason;
  }
  return "idle";
}

/** Differences between two views. */
export const rowPatch = (before: SessionView, after: SessionView): SessionRowPatch => ({
  status: sessionStatus(after),
  ...(after.title === before.title ? {} : { title: after.title }),
  ...(after.mode === before.mode ? {} : { mode: after.mode }),
  ...(after.cwd === before.cwd ? {} : { cwd: after.cwd }),
  ...(after.model?.model === before.model?.model ? {} : { model: after.model?.model ?? "" }),
  ...(after.added === before.added ? {} : { added: after.added }),
  ...(after.removed === before.removed ? {} : { removed: after.removed }),
});
