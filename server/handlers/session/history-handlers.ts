/** Commands about the history of all sessions: export, import, pinning, archiving, and emptying the deleted sessions. */
import { fail, ok } from "@/lib/events/error";
import type { HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";

export const historyHandlers = (core: CoreServices) => ({ ...rowHandlers(core), ...transferHandlers(core) });

/** Export and import; their code is loaded on first use. */
const transferHandlers = (core: CoreServices) =>
  ({
    "session.export": async ({ sessionId, format, mask = true }) => {
      const session = core.sessions.get(sessionId);
      if (!session.ok) return session;
      const { exportInSlices } = await import("@/server/session/export/export");
      const { makeSecretRedactor } = await import("@/server/session/share/secret-redactor");
      const redactor = mask ? makeSecretRedactor(core)() : null;
      const file = await exportInSlices(core.store, session.value.view, format, redactor);
      return file === undefined ? fail("not_found") : ok(file);
    },
    "session.import": async ({ projectId, ...input }) => {
      const project = await core.projects.get(projectId);
      if (!project.ok) return project;
      const { importSessions } = await import("@/server/session/import/import");
      const imported = await importSessions(core, { ...input, projectId, root: project.value.root });
      if (!imported.ok) return imported;
      for (const row of imported.value.rows) core.push({ type: "session_row", row });
      return imported;
    },
  }) satisfies Partial<HandlerTable>;

const rowHandlers = ({ sessions, store }: CoreServices) =>
  ({
    "session.mark": (input) => ok(sessions.mark(input)),
    "session.purge": sessions.purge,
    "history.models": () => ok({ models: store.sessions.models() }),
  }) satisfies Partial<HandlerTable>;
