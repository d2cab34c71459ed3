/** Commands about the history of all sessions: export, import, pinning, archiving, and emptying the deleted sessions. */
import { fail, ok } from "@/lib/events/error";
import type { HandlerTable } from "../handlers";
import { type HandlerServices, requireSession } from "../services";

export const historyHandlers = (
  services: Pick<HandlerServices, "registry" | "store" | "projects" | "redactor" | "push" | "now">,
) => ({
  ...rowHandlers(services),
  ...relinkHandlers(services),
  ...transferHandlers(services),
});

const relinkHandlers = ({ registry, projects, push }: Pick<HandlerServices, "registry" | "projects" | "push">) =>
  ({
    "project.relink": async ({ projectId, path }) => {
      if (registry.running().some((session) => session.view.projectId === projectId)) return fail("not_idle");
      const moved = await projects.relink(projectId, path);
      if (!moved.ok) return moved;
      registry.suspend(projectId);
      const { project } = moved.value;
      push({ type: "project", project });
      return ok({ project });
    },
  }) satisfies Partial<HandlerTable>;

/** Export and import; their code is loaded on first use. */
const transferHandlers = ({ registry, store, projects, redactor, push, now }: Parameters<typeof historyHandlers>[0]) =>
  ({
    "session.export": async ({ sessionId, format, mask = true }) => {
      const session = requireSession({ registry }, sessionId);
      if (!session.ok) return session;
      const { exportInSlices } = await import("@/server/session/export/export");
      const file = await exportInSlices(store, session.value.view, format, mask ? await redactor() : null);
      return file === undefined ? fail("not_found") : ok(file);
    },
    "session.import": async ({ projectId, ...input }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const { importSessions } = await import("@/server/session/import/import");
      const made = await importSessions({ store, now }, { ...input, projectId, root: project.value.root });
      if (!made.ok) return made;
      for (const row of made.value) push({ type: "session_row", row });
      return ok({ rows: made.value });
    },
  }) satisfies Partial<HandlerTable>;

const rowHandlers = ({
  registry,
  store,
  push,
  now,
}: Omit<Parameters<typeof historyHandlers>[0], "projects" | "redactor">) =>
  ({
    "session.mark": ({ sessionIds, ...mark }) => {
      const rows = store.sessions.mark(sessionIds, mark, now());
      for (const row of rows) push({ type: "session_row", row });
      return ok({ rows });
    },
    "session.purge": async ({ sessionId }) => {
      const binned = store.sessions.listDeleted();
      if (sessionId !== undefined && !binned.includes(sessionId)) return fail("not_found");
      const chosen = sessionId === undefined ? binned : [sessionId];
      // A run of a deleted session ends first, so that nothing writes to a log that is removed.
      await Promise.all(registry.running().flatMap((one) => (chosen.includes(one.id) ? [one.abort()] : [])));
      const gone = chosen.filter((id) => store.sessions.purge(id));
      for (const id of gone) push({ type: "session_removed", sessionId: id });
      return ok({ sessions: gone.length });
    },
    "history.models": () => ok({ models: store.sessions.models() }),
  }) satisfies Partial<HandlerTable>;
