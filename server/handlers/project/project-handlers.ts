/** Commands of the list of projects: open, complete a path, rename, pin, remove. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { ProjectView } from "@/lib/protocol/answers";
import { neverAborted } from "@/server/base/abort";
import { listFolderNames } from "@/server/workspace/files/folders/folder-names";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";

export const projectHandlers = ({ projects, openWorkspace, store, push, now }: CoreServices) => {
  const show = async (opened: Result<OpenProject>): Promise<Result<ProjectView>> => {
    if (!opened.ok) return opened;
    const view = await opened.value.view();
    push({ type: "project", project: view.project });
    return ok(view);
  };
  return {
    "project.list": () => ok({ projects: store.projects.list() }),
    "project.folders": ({ path }) => listFolderNames(path),
    "project.open": async ({ projectId, path }) => {
      if (path !== undefined) return show(await projects.open(path));
      const project = projectId === undefined ? fail("bad_input") : await projects.get(projectId);
      return project.ok ? ok(await project.value.view()) : project;
    },
    "project.facts": async ({ projectId }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const { readProjectFacts } = await import("@/server/workspace/projects/project-facts");
      return ok(await readProjectFacts(project.value, process.env, neverAborted));
    },
    "project.workspace": async () => show(await openWorkspace()),
    "project.edit": ({ projectId, name, pinned, removed }) => {
      if (name !== undefined) store.projects.rename(projectId, name);
      if (pinned !== undefined) store.projects.setPin(projectId, pinned ? now() : null);
      if (removed === true) store.projects.remove(projectId, now());
      if (removed === false) store.projects.restore(projectId);
      const project = store.projects.get(projectId);
      if (project === undefined) return fail("not_found");
      push({ type: "project", project });
      return ok({ project });
    },
  } satisfies Partial<HandlerTable>;
};
