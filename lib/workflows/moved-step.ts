/** Whether the steps that a run has done are still at their places in the file. Pure. */
import { isStepWithin, type WorkflowRun } from "./workflow-run";
import type { WorkflowStepView } from "./workflow-views";

/**
 * Returns the title of a step without an id of its own that has begun, does not run again, and has another step in its
 * place in `plan`: such a step is identified by its place. undefined = there is none.
 */
export function movedStep(
  { plan: before, steps }: Pick<WorkflowRun, "plan" | "steps">,
  plan: readonly WorkflowStepView[],
  again: readonly string[],
): string | undefined {
  const moved = [...steps.keys()].find((key) => {
    if (!/(?:^|\/)step_\d+(?:\[\d+\])?$/.test(key) || again.some((one) => isStepWithin(key, one))) return false;
    const [was, now] = [viewOf(before, key), viewOf(plan, key)];
    return was?.kind !== now?.kind || was?.title !== now?.title;
  });
  return moved === undefined ? undefined : (viewOf(before, moved)?.title ?? moved);
}

function viewOf(plan: readonly WorkflowStepView[], key: string): WorkflowStepView | undefined {
  let found: WorkflowStepView | undefined;
  let views = plan;
  for (const part of key.split("/")) {
    found = views.find(({ id }) => id === part.replace(/\[\d+\]$/, ""));
    views = found?.steps ?? [];
  }
  return found;
}
