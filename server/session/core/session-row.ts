/** Row of the session list, derived from the view; written in the transaction of the events it summarizes. */
import type { SessionStatus } from "@/lib/protocol/session-row";
import { countDone, findPlan, type PlanProgress } from "@/lib/view/checklist";
import { sessionActivity, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import type { SessionRowPatch } from "@/server/store/sessions/events";

export function sessionStatus(view: SessionView): SessionStatus {
  const activity = sessionActivity(view);
  if (activity !== "idle") return activity;
  // The question of a workflow: nothing follows it before its answer.
  const step = view.workflow.at(-1);
  if (step?.type === "step_start" && step.kind === "ask") return "waiting";
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "run_end") return entry.reason === "done" ? "idle" : entry.reason;
  }
  return "idle";
}

/** Progress of the plan; null = there is none. */
export function planProgress(view: SessionView): PlanProgress | null {
  const plan = findPlan(view);
  return plan === null ? null : countDone(plan);
}

/** The change of the plan between two views. */
function planPatch(before: SessionView, after: SessionView): Pick<SessionRowPatch, "plan"> {
  if (before.entries === after.entries && before.newest === after.newest) return {};
  const [was, is] = [planProgress(before), planProgress(after)];
  return was?.done === is?.done && was?.total === is?.total ? {} : { plan: is };
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
  ...planPatch(before, after),
});
