/** Query of workflows, and the one that is chosen to be run. */
import { queryOptions, skipToken } from "@tanstack/react-query";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { WorkflowsState, WorkflowText } from "@/lib/workflows/workflow-views";
import type { WorkflowPlace } from "@/lib/workflows/workflow";
import { callValue } from "./queries";
import { createStore } from "./store";

type Call = Parameters<typeof callValue>[0];

/** Reads the folders again whenever it is mounted or the window gets the focus: workflows are edited in other programs. */
export const workflowsQuery = (call: Call, projectId: ProjectId) =>
  queryOptions<WorkflowsState>({
    queryKey: ["workflows", projectId],
    staleTime: 0,
    refetchOnWindowFocus: true,
    queryFn: () => callValue(call, "workflows.list", { projectId }),
  });

/** For the message field: the folders are read again only after half a minute. */
export const offeredWorkflowsQuery = (call: Call, projectId: ProjectId) => ({
  ...workflowsQuery(call, projectId),
  staleTime: 30_000,
});

/** Returns the workflows that can be started. */
export const usableWorkflows = (state: WorkflowsState | undefined): WorkflowsState["files"] =>
  state?.files.filter(({ problems, isShadowed }) => problems.length === 0 && !isShadowed) ?? [];

export const workflowTextQuery = (call: Call, projectId: ProjectId, place: WorkflowPlace, name: string) =>
  queryOptions<WorkflowText>({
    queryKey: ["workflows", projectId, place, name],
    staleTime: 0,
    gcTime: 0,
    retry: false,
    queryFn: () => callValue(call, "workflows.read", { projectId, place, name }),
  });

export const workflowDraftQuery = (call: Call, sessionId: string | null) =>
  queryOptions<string>({
    queryKey: ["workflows", "draft", sessionId],
    staleTime: 0,
    gcTime: 0,
    retry: false,
    queryFn:
      sessionId === null
        ? skipToken
        : async () => (await callValue(call, "workflows.draft", { sessionId: asId<SessionId>(sessionId) })).text,
  });

/** Name of the workflow that the dialog begins with; null = none. */
export const chosenWorkflow = createStore<string | null>(null);
