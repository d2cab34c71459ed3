/** Workflows: their files, their runs in sessions, and the commands of both. Nothing is read before it is needed. */
import { untilAborted } from "@/server/base/abort";
import type { Feature, FeatureHost } from "../feature";
import { draftWorkflow } from "./files/draft-workflow";
import { makeWorkflowFiles } from "./files/workflow-files";
import { makeWorkflowLibrary } from "./files/workflow-library";
import { makeWorkflowControl } from "./run/workflow-control";
import { makeWorkflowRuns } from "./run/workflow-runs";

export function workflowsFeature({
  home,
  projects,
  sessions,
  reportBug,
}: Pick<FeatureHost, "home" | "projects" | "sessions" | "reportBug">) {
  const stop = new AbortController();
  const { signal } = stop;
  const library = makeWorkflowLibrary(projects, makeWorkflowFiles(home));
  const runs = makeWorkflowRuns({ sessions, reportBug });
  const control = makeWorkflowControl({ sessions, library, runs });
  return {
    commands: {
      "workflows.list": ({ projectId }) => library.list(projectId, signal),
      "workflows.read": ({ projectId, place, name }) => library.read(projectId, place, name, signal),
      "workflows.check": ({ projectId, name, text }) => library.check(projectId, name, text, signal),
      "workflows.write": ({ projectId, ...file }) => library.write(projectId, file, signal),
      "workflows.draft": ({ sessionId }) => {
        const session = sessions.get(sessionId);
        return session.ok ? draftWorkflow(session.value.view) : session;
      },
      "workflows.start": (wanted, client) => control.start(wanted, client, signal),
      "workflows.stop": ({ sessionId }) => control.stop(sessionId),
      "workflows.continue": (continued) => control.resume(continued, signal),
      "workflows.rerun": (again) => control.rerun(again, signal),
      "workflows.answer": (answered) => control.answer(answered, signal),
    },
    sessionListener: {
      event: runs.sessionChanged,
      removed: (id) => void runs.stop(id).catch((error: unknown) => reportBug("workflow", error)),
    },
    trustWithdrawn: runs.stopProject,
    async start(ended) {
      await untilAborted(ended);
      stop.abort();
      await runs.close();
    },
  } satisfies Feature;
}
