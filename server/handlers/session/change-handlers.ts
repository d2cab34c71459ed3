/** Commands about changed files: those of sessions and of git, restoring them, and the file trash. */
import { ok } from "@/lib/events/error";
import { oneAtATime } from "@/server/base/concurrency";
import { weakMemo } from "@/server/base/weak-memo";
import { sessionChanges } from "@/server/session/restore/file-changes";
import { listFileVersions } from "@/server/session/restore/file-versions";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";
import { neverAborted } from "@/server/base/abort";

export const changeHandlers = (core: CoreServices) => {
  const { sessions, services } = core;
  return {
    "session.changes": ({ sessionId, from, to }) => {
      const session = sessions.get(sessionId);
      return session.ok ? sessionChanges(services, session.value.view, from, to) : session;
    },
    "session.restore_preview": ({ sessionId, toSeq, onlyPath }) => {
      const session = sessions.get(sessionId);
      return session.ok ? session.value.files.plan(toSeq, onlyPath) : session;
    },
    "session.restore_files": ({ sessionId, commandId, ...order }) =>
      sessions.change(sessionId, ({ files }) => files.restore(order, commandId)),
    "project.versions": async ({ projectId, path }) =>
      ok({ versions: await listFileVersions(services.store, projectId, path) }),
    ...gitMarkHandlers(core),
    ...trashHandlers(core),
  } satisfies Partial<HandlerTable>;
};

/** Git runs once at a time for a project, however many clients show its tree. */
function gitMarkHandlers({ projects }: CoreServices) {
  const readerOf = weakMemo((project: OpenProject) =>
    oneAtATime(async () => {
      const { readGitMarks } = await import("@/server/workspace/git/git-marks");
      return readGitMarks(project, process.env, neverAborted);
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

const trashHandlers = ({ toolEnvironments: { trash } }: CoreServices) =>
  ({
    "trash.list": async ({ projectId, before }) => ok(await trash.list({ projectId, before })),
    "trash.restore": ({ trashId, replaces }) => trash.restore(trashId, replaces),
    "trash.remove": ({ trashId }) => trash.remove(trashId),
  }) satisfies Partial<HandlerTable>;
