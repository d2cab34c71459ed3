/** Commands about changed files: those of sessions and of git, restoring them, and the file trash. */
import { ok } from "@/lib/events/error";
import { oneAtATime } from "@/server/base/concurrency";
import { weakMemo } from "@/server/base/weak-memo";
import { sessionChanges } from "@/server/session/restore/file-changes";
import { readWorkingTree } from "@/server/workspace/git/working-tree";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { HandlerTable } from "../handlers";
import type { HandlerServices } from "../services";

type ChangeCommand =
  | "session.changes"
  | "session.restore_preview"
  | "session.restore_files"
  | "project.changes"
  | "project.marks"
  | Extract<keyof HandlerTable, `trash.${string}`>;

/** Services these commands need. */
type ChangeServices = Pick<HandlerServices, "store" | "projects" | "projectFiles"> & {
  readonly toolEnvironments: { readonly trash: Omit<HandlerServices["toolEnvironments"]["trash"], "put"> };
  readonly sessions: Pick<HandlerServices["sessions"], "get" | "change">;
};

export const changeHandlers = (services: ChangeServices): Pick<HandlerTable, ChangeCommand> => ({
  "session.changes": ({ sessionId, from, to }) => {
    const session = services.sessions.get(sessionId);
    return session.ok ? sessionChanges(services, session.value.view, from, to) : session;
  },
  "session.restore_preview": ({ sessionId, toSeq }) => {
    const session = services.sessions.get(sessionId);
    return session.ok ? session.value.files.plan(toSeq) : session;
  },
  "session.restore_files": ({ sessionId, commandId, ...order }) =>
    services.sessions.change(sessionId, ({ files }) => files.restore(order, commandId)),
  "project.changes": async ({ projectId }) => {
    const project = await services.projects.get(projectId);
    if (!project.ok) return project;
    return readWorkingTree(project.value, process.env, new AbortController().signal);
  },
  ...gitMarkHandlers(services),
  ...trashHandlers(services),
});

/** Git runs once at a time for a project, however many clients show its tree. */
function gitMarkHandlers({ projects }: Pick<ChangeServices, "projects">) {
  const readerOf = weakMemo((project: OpenProject) =>
    oneAtATime(async () => {
      const { readGitMarks } = await import("@/server/workspace/git/git-marks");
      return readGitMarks(project, process.env, new AbortController().signal);
    }),
  );
  return {
    "project.marks": async ({ projectId }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const marks = await readerOf(project.value)();
      return marks.ok ? ok({ marks: marks.value }) : marks;
    },
  } satisfies Partial<HandlerTable>;
}

const trashHandlers = ({ toolEnvironments }: ChangeServices) =>
  ({
    "trash.list": async ({ projectId, before }) =>
      ok(
        await toolEnvironments.trash.list({
          projectId,
          before,
        }),
      ),
    "trash.restore": ({ trashId }) => toolEnvironments.trash.restore(trashId),
    "trash.remove": ({ trashId }) => toolEnvironments.trash.remove(trashId),
  }) satisfies Partial<HandlerTable>;
