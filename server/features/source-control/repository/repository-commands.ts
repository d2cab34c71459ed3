/** Commands about the repository of a project: its use from a folder below its top, and the lock that a killed git left. */
import { fail, ok } from "@/lib/events/error";
import type { HandlerTable } from "@/server/handlers/handlers";
import { findRepositoryTop } from "@/server/workspace/git/git-folders";
import { usedGitTop } from "@/server/workspace/git/project-git";
import { removeStaleLocks } from "@/server/workspace/git/stale-lock";
import type { FeatureHost } from "../../feature";

export type RepositoryHost = Pick<FeatureHost, "projects" | "store" | "now" | "push">;

export const repositoryCommands = ({ projects, store, now, push }: RepositoryHost, signal: AbortSignal) =>
  ({
    async "source.use_repository"({ projectId, top }) {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      if (!project.value.trusted()) return fail("untrusted");
      const isAbove = top !== null && top !== project.value.root;
      if (isAbove && (await findRepositoryTop(project.value.root)) !== top) return fail("not_found", top);
      store.projects.setGitTop(projectId, isAbove ? top : null);
      const view = await project.value.view();
      push({ type: "project", project: view.project });
      return ok(view);
    },
    async "source.remove_lock"({ projectId }) {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      if (!project.value.trusted()) return fail("untrusted");
      return removeStaleLocks(await usedGitTop(project.value), now(), signal);
    },
  }) satisfies Partial<HandlerTable>;
