/** Commands that read the history of a repository. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { ClientId, ProjectId } from "@/lib/events/id";
import type { HandlerTable } from "@/server/handlers/handlers";
import { ownerEntryPath } from "@/server/security/paths/safe-path";
import type { Git } from "@/server/workspace/git/git";
import { readBlame } from "@/server/workspace/git/history/read-blame";
import { compareCommits, emptyTree, nameMissing, readCommitView } from "@/server/workspace/git/history/read-commit";
import { readLog } from "@/server/workspace/git/history/read-log";
import { readCommittedDiff } from "@/server/workspace/git/patch/read-patch";
import { openProjectGit } from "@/server/workspace/git/project-git";
import type { FeatureHost } from "../feature";

/** `signal` = the feature's shutdown. */
export function historyCommands(
  { projects, environment }: Pick<FeatureHost, "projects" | "environment">,
  signal: AbortSignal,
) {
  const searches = makeLogSearches();
  /** Opens git for the project, of which the paths have to be. */
  const open = async (
    projectId: ProjectId,
    paths: readonly (string | undefined)[],
    stop: AbortSignal,
  ): Promise<Result<Git>> => {
    const project = await projects.get(projectId);
    if (!project.ok) return project;
    for (const path of paths) {
      const checked = path === undefined ? project : ownerEntryPath(path, project.value.policy());
      if (!checked.ok) return checked;
    }
    const git = await openProjectGit(project.value, environment, stop);
    if (!git.ok) return git;
    if (typeof git.value !== "string") return ok(git.value);
    return git.value === "untrusted" ? fail("untrusted") : fail("not_found", git.value);
  };
  return {
    async "source.log"({ projectId, searchId, ...query }, client) {
      const search = searches.begin(client.id, searchId);
      const stop = AbortSignal.any([
        signal,
        search.signal,
        ...(client.disconnected === undefined ? [] : [client.disconnected]),
      ]);
      const git = await open(projectId, [query.file], stop);
      return (git.ok ? readLog(git.value, query, stop) : Promise.resolve(git)).finally(search.end);
    },
    "source.stop_log"({ searchId }, client) {
      searches.stop(client.id, searchId);
      return ok(null);
    },
    async "source.commit_view"({ projectId, commit }) {
      const git = await open(projectId, [], signal);
      return git.ok ? readCommitView(git.value, commit) : git;
    },
    async "source.compare"({ projectId, from, to }) {
      const git = await open(projectId, [], signal);
      return git.ok ? compareCommits(git.value, from, to) : git;
    },
    async "source.commit_diff"({ projectId, from, to, path, renamedFrom }) {
      const git = await open(projectId, [path, renamedFrom], signal);
      if (!git.ok) return git;
      const ids = { from: from ?? emptyTree(to), to };
      const diff = await readCommittedDiff(git.value, { ...ids, path, renamedFrom }, signal);
      return diff.ok ? diff : nameMissing(git.value, Object.values(ids), diff);
    },
    async "source.blame"({ projectId, ...target }) {
      const git = await open(projectId, [target.path], signal);
      return git.ok ? readBlame(git.value, target) : git;
    },
  } satisfies Partial<HandlerTable>;
}

/** The running searches of the clients. */
function makeLogSearches() {
  const running = new Map<string, AbortController>();
  const keyOf = (client: ClientId, searchId: string): string => `${client} ${searchId}`;
  return {
    /** A search replaces the one with the same id. */
    begin(client: ClientId, searchId: string | undefined) {
      const stop = new AbortController();
      const key = searchId === undefined ? null : keyOf(client, searchId);
      if (key !== null) {
        running.get(key)?.abort();
        running.set(key, stop);
      }
      return {
        signal: stop.signal,
        end(): void {
          if (key !== null && running.get(key) === stop) running.delete(key);
        },
      };
    },
    stop: (client: ClientId, searchId: string): void => running.get(keyOf(client, searchId))?.abort(),
  };
}
