/** The workflow that is chosen to be run, and those that can be chosen. */
import type { WorkflowsState } from "@/lib/workflows/workflow-views";
import { createStore } from "./store";

/** Returns the workflows that can be started. */
export const usableWorkflows = (state: WorkflowsState | undefined): WorkflowsState["files"] =>
  state?.files.filter(({ problems, isShadowed }) => problems.length === 0 && !isShadowed) ?? [];

/** Name of the workflow that the dialog begins with; null = none. */
export const chosenWorkflow = createStore<string | null>(null);
