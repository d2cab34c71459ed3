/** Search and replace in the files of a project, for the owner's clients. */
import { fail, ok } from "@/lib/events/error";
import { asId, type CodeSearchId } from "@/lib/events/id";
import { untilAborted } from "@/server/base/abort";
import type { Feature, FeatureHost } from "../feature";
import { makeCodeSearches } from "./code-searches";
import { makeReplacements } from "./replacements";

export function codeSearchFeature({ projects, push, reportBug }: Pick<FeatureHost, "projects" | "push" | "reportBug">) {
  const searches = makeCodeSearches({
    publish: (searchId, results) => push({ type: "code_search", searchId, ...results }),
    reportBug: (error) => reportBug("code-search", error),
  });
  const replacements = makeReplacements((error) => reportBug("code-search", error));
  const shutdown = new AbortController();
  return {
    commands: {
      async "search.start"({ projectId, ...query }, client) {
        const project = await projects.get(projectId);
        if (!project.ok) return project;
        if (client.disconnected?.aborted === true) return fail("aborted");
        return ok({ searchId: searches.start(client, project.value.search, query) });
      },
      "search.cancel"({ searchId }, client) {
        searches.cancel(client.id, searchId);
        return ok(null);
      },
      async "search.replace"({ projectId, ...request }) {
        const project = await projects.get(projectId);
        return project.ok ? replacements.replace(projectId, project.value, request, shutdown.signal) : project;
      },
      async "search.undo"({ projectId, replacementId }) {
        const project = await projects.get(projectId);
        return project.ok ? replacements.undo(projectId, project.value, replacementId) : project;
      },
    },
    topicSources: {
      code_search: {
        state(subject) {
          const searchId = asId<CodeSearchId>(subject);
          const results = searches.results(searchId);
          return results === null ? null : { type: "code_search", searchId, ...results };
        },
        setBehind: (subject, isBehind) => searches.setPaused(asId<CodeSearchId>(subject), isBehind),
      },
    },
    async start(signal) {
      await untilAborted(signal);
      shutdown.abort();
      await searches.close();
    },
  } satisfies Feature;
}
