/** Source control with git for the owner's clients, in trusted folders only. */
import { fail, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { untilAborted } from "@/server/base/abort";
import { oneAtATime } from "@/server/base/concurrency";
import { weakMemo } from "@/server/base/weak-memo";
import { ownerEntryPath } from "@/server/security/paths/safe-path";
import type { Git } from "@/server/workspace/git/git";
import { makeGitWrites } from "@/server/workspace/git/git-writes";
import { readSourceDiff } from "@/server/workspace/git/patch/read-patch";
import { openProjectGit } from "@/server/workspace/git/project-git";
import { readSourceStatus } from "@/server/workspace/git/source-status";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { Feature, FeatureHost } from "../feature";
import { type BranchContext, branchCommands, type FileWriter } from "./branch-commands";
import { type CommitHost, makeCommitCommands, type ProjectOpener } from "./commit/commit-commands";
import { conflictCommands } from "./conflict-commands";
import { historyCommands } from "./history-commands";
import { messageCommands, type MessageHost } from "./commit/message-commands";
import { refCommands } from "./ref-commands";
import { repositoryCommands } from "./repository/repository-commands";
import { stageCommands } from "./stage-commands";
import { worktreeCommands, type WorktreeHost } from "./worktree-commands";
import { worktreeMergeCommands } from "./worktree-merge-commands";

type SourceControlHost = WorktreeHost & CommitHost & MessageHost & Pick<FeatureHost, "toolEnvironments">;

/** `lockWaitMs` = see `makeGitWrites`. */
export function sourceControlFeature(host: SourceControlHost, lockWaitMs?: number) {
  const { projects, environment } = host;
  const { trash } = host.toolEnvironments;
  const stopped = new AbortController();
  const { signal } = stopped;
  const writes = makeGitWrites(environment, lockWaitMs);
  /** Git runs once at a time for a project, however many clients show its status. */
  const statusOf = weakMemo((project: OpenProject) => oneAtATime(() => readSourceStatus(project, environment, signal)));
  const open: ProjectOpener = async (projectId, paths) => {
    const project = await projects.get(projectId);
    if (!project.ok) return project;
    const refused = paths.map((path) => ownerEntryPath(path, project.value.policy())).find(({ ok: isOk }) => !isOk);
    return refused?.ok === false ? refused : project;
  };
  const write: FileWriter = async (projectId, paths, work) => {
    const project = await open(projectId, paths);
    if (!project.ok) return project;
    return writes.run(project.value, (git) => work({ git, project: project.value, trash }), signal);
  };
  const read = async <T>(
    projectId: ProjectId,
    work: (git: Git, project: OpenProject) => Promise<Result<T>>,
    paths: readonly string[] = [],
  ): Promise<Result<T>> => {
    const project = await open(projectId, paths);
    if (!project.ok) return project;
    const git = await openProjectGit(project.value, environment, signal);
    if (!git.ok) return git;
    if (git.value === "untrusted") return fail("untrusted");
    return typeof git.value === "string" ? fail("not_found", git.value) : work(git.value, project.value);
  };
  const findRun: BranchContext["findRun"] = (projectId) =>
    host.sessions.running().find(({ view }) => view.projectId === projectId)?.view.sessionId;
  const branchContext: BranchContext = { findRun, read, write };
  const commits = makeCommitCommands(host, open, writes, signal);
  return {
    commands: {
      async "source.status"({ projectId }) {
        const project = await projects.get(projectId);
        return project.ok ? statusOf(project.value)() : project;
      },
      "source.diff": ({ projectId, ...target }) =>
        read(projectId, (git) => readSourceDiff(git, target, signal), [
          target.path,
          ...(target.from === undefined ? [] : [target.from]),
        ]),
      ...stageCommands(write),
      ...repositoryCommands(host, signal),
      ...commits.commands,
      ...branchCommands(branchContext),
      ...refCommands({ host, ...branchContext }),
      ...conflictCommands({ read, write, signal }),
      ...worktreeCommands(host, writes, signal),
      ...worktreeMergeCommands(host, writes, signal),
      ...historyCommands(host, signal),
      ...messageCommands(host, read, signal),
    },
    topicSources: commits.topicSources,
    trustWithdrawn: commits.stop,
    async start(shutdown) {
      await untilAborted(shutdown);
      stopped.abort();
    },
  } satisfies Feature;
}
