/** Commands that merge a work tree back into the project, and measure the work trees. */
import { basename } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { Project } from "@/lib/workspace/project";
import type { HandlerTable } from "@/server/handlers/handlers";
import { mergeBranch } from "@/server/workspace/git/branches/branches";
import type { Git } from "@/server/workspace/git/git";
import type { GitWrites } from "@/server/workspace/git/git-writes";
import { openProjectGit } from "@/server/workspace/git/project-git";
import { measureFolder } from "@/server/workspace/git/worktrees/folder-size";
import {
  type GitWorktree,
  listChangedPaths,
  listWorktrees,
  readMainWorktree,
} from "@/server/workspace/git/worktrees/worktrees";
import type { OpenProject } from "@/server/workspace/projects/projects";
import { openWorktree, projectAt, type WorktreeHost, worktreesOf } from "./worktree-commands";

export function worktreeMergeCommands(host: WorktreeHost, writes: GitWrites, signal: AbortSignal) {
  const { projects, environment, sessions } = host;
  /** Opens the project, and finds its work trees. */
  const list = async (
    project: OpenProject,
  ): Promise<Result<{ readonly git: Git; readonly worktrees: readonly GitWorktree[] }>> => {
    const opened = await openProjectGit(project, environment, signal);
    if (!opened.ok) return opened;
    const git = opened.value;
    if (typeof git === "string") return fail(git === "untrusted" ? "untrusted" : "not_found");
    const listed = await listWorktrees(git, await worktreesOf(host, project));
    return listed.ok ? ok({ git, worktrees: listed.value }) : listed;
  };
  /** Returns the open project of the repository's main work tree, into which the others are merged. */
  const openMain = async (git: Git): Promise<Result<OpenProject>> => {
    const main = await readMainWorktree(git);
    if (!main.ok) return main;
    const project: Project | undefined = projectAt(host, main.value.path);
    return project === undefined ? fail("not_found", main.value.path) : projects.get(project.id);
  };
  return {
    "worktree.merge": async ({ projectId, name }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const listed = await list(project.value);
      if (!listed.ok) return listed;
      const found = listed.value.worktrees.find(({ path }) => basename(path) === name);
      if (found === undefined) return fail("not_found");
      const clean = await checkCommitted(await openWorktree({ host, signal }, found.path));
      if (!clean.ok) return clean;
      const main = await openMain(listed.value.git);
      if (!main.ok) return main;
      const { root, project: into } = main.value;
      const run = sessions.running().find(({ view }) => view.projectId === into.id);
      if (run !== undefined) return fail("busy", undefined, { sessionId: run.view.sessionId });
      const commit = found.branch ?? found.head;
      const merged = await writes.run(main.value, (git) => mergeBranch(git, root, commit), signal);
      return merged.ok ? ok({ ...merged.value, projectId: into.id }) : merged;
    },
    "worktree.sizes": async ({ projectId }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const listed = await list(project.value);
      if (!listed.ok) return listed;
      const sizes = [];
      for (const { path } of listed.value.worktrees)
        sizes.push({ name: basename(path), ...(await measureFolder(path, signal)) });
      return ok({ sizes });
    },
  } satisfies Partial<HandlerTable>;
}

/** Fails with local_changes if a work tree has changes that a merge of its branch would leave out. */
async function checkCommitted(git: Git | null): Promise<Result<null>> {
  if (git === null) return fail("not_found");
  const changed = await listChangedPaths(git);
  if (!changed.ok) return changed;
  const [path] = changed.value;
  return path === undefined ? ok(null) : fail("local_changes", undefined, { path });
}
