/** Commands about the history of all sessions: export, import, pinning, archiving, and emptying the deleted sessions. */
import { fail, ok } from "@/lib/events/error";
import type { HandlerTable } from "../handlers";
import type { HandlerServices } from "../services";

export const historyHandlers = (
  services: Pick<HandlerServices, "sessions" | "store" | "projects" | "redactor" | "trustWithdrawn" | "push" | "now">,
) => ({
  ...rowHandlers(services),
  ...relinkHandlers(services),
  ...transferHandlers(services),
});

const relinkHandlers = ({
  sessions,
  projects,
  trustWithdrawn,
  push,
}: Pick<HandlerServices, "sessions" | "projects" | "trustWithdrawn" | "push">) =>
  ({
    "project.relink": async ({ projectId, path }) => {
      if (sessions.running().some(({ view }) => view.projectId === projectId)) return fail("not_idle");
      const moved = await projects.relink(projectId, path);
      if (!moved.ok) return moved;
      sessions.suspend(projectId);
      // Another folder is not trusted yet.
      trustWithdrawn(projectId);
      const { project } = moved.value;
      push({ type: "project", project });
      return ok({ project });
    },
  }) satisfies Partial<HandlerTable>;

/** Export and import; their code is loaded on first use. */
const transferHandlers = ({ sessions, store, projects, redactor, push, now }: Parameters<typeof historyHandlers>[0]) =>
  ({
    "session.export": async ({ sessionId, format, mask = true }) => {
      const session = sessions.get(sessionId);
      if (!session.ok) return session;
      const { exportInSlices } = await import("@/server/session/export/export");
      const file = await exportInSlices(store, session.value.view, format, mask ? await redactor() : null);
      return file === undefined ? fail("not_found") : ok(file);
    },
    "session.import": async ({ projectId, ...input }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const { importSessions } = await import("@/server/session/import/import");
      const imported = await importSessions({ store, now }, { ...input, projectId, root: project.value.root });
      if (!imported.ok) return imported;
      for (const row of imported.value.rows) push({ type: "session_row", row });
      return imported;
    },
  }) satisfies Partial<HandlerTable>;

const rowHandlers = ({ sessions, store }: Pick<HandlerServices, "sessions" | "store">) =>
  ({
    "session.mark": (input) => ok(sessions.mark(input)),
    "session.purge": sessions.purge,
    "history.models": () => ok({ models: store.sessions.models() }),
  }) satisfies Partial<HandlerTable>;
