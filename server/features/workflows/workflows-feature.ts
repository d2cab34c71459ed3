/** Workflows: their files, and the commands of their page. Nothing is read before it is needed. */
import { untilAborted } from "@/server/base/abort";
import type { Feature, FeatureHost } from "../feature";
import { makeWorkflowFiles } from "./files/workflow-files";
import { makeWorkflowLibrary } from "./files/workflow-library";

export function workflowsFeature({ home, projects }: Pick<FeatureHost, "home" | "projects">) {
  const stop = new AbortController();
  const library = makeWorkflowLibrary(projects, makeWorkflowFiles(home));
  return {
    commands: {
      "workflows.list": ({ projectId }) => library.list(projectId, stop.signal),
      "workflows.read": ({ projectId, place, name }) => library.read(projectId, place, name, stop.signal),
      "workflows.check": ({ projectId, name, text }) => library.check(projectId, name, text, stop.signal),
      "workflows.write": ({ projectId, ...file }) => library.write(projectId, file, stop.signal),
    },
    async start(signal) {
      await untilAborted(signal);
      stop.abort();
    },
  } satisfies Feature;
}
