/** Commands of the session family. */
import { textOf } from "@/lib/content";
import { fail, ok } from "@/lib/error";
import { findIn } from "@/lib/find";
import { limits } from "@/lib/settings";
import { pageBefore, snapshotOf } from "@/lib/snapshot";
import { callIn } from "./call-in";
import { contextHandlers } from "./context-handlers";
import { mayHaveMode } from "./guard-handlers";
import type { HandlerTable } from "./handlers";
import { type HandlerServices, modelsKnown, sessionOf, writableSession } from "./services";

type SessionServices = Pick<
  HandlerServices,
  "registry" | "store" | "projects" | "models" | "modelsFile" | "connections" | "push" | "now"
>;

export const sessionHandlers = (services: SessionServices) => ({
  ...listHandlers(services),
  ...readHandlers(services),
  ...runHandlers(services),
  ...steerHandlers(services),
  ...contextHandlers(services),
});

const listHandlers = ({ registry, store, projects, push, now, models, connections }: SessionServices) =>
  ({
    "session.list": (input) => ok(store.sessions.list({ ...input, limit: limits.historyPageEntries })),
    "session.create": async ({ projectId, commandId, mode, model, connection }, client) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const allowed = mayHaveMode({ store }, projectId, mode, client);
      if (!allowed.ok) return allowed;
      const session = registry.create({
        projectId,
        cwd: project.value.root,
        mode: mode ?? store.settings.read().mode,
        commandId,
      });
      if ((model !== undefined || connection !== undefined) && session.view.model === null) {
        await modelsKnown({ models, connections, store }, connection ?? "");
        const wanted = { name: model ?? "", ...(connection === undefined ? {} : { connection }) };
        const changed = session.changeModel(wanted, commandId);
        if (!changed.ok) return changed;
      }
      const row = registry.row(session.id);
      return row === undefined ? fail("not_found") : ok({ row });
    },
    "session.remove": async ({ sessionId }) => {
      const session = sessionOf({ registry }, sessionId);
      if (!session.ok) return session;
      // Marked as deleted first, so that nothing starts while the run ends.
      store.sessions.remove(sessionId, now());
      await session.value.abort();
      if (session.value.idle) session.value.close();
      push({ type: "session_removed", sessionId });
      return ok(null);
    },
    "session.restore": ({ sessionId }) => {
      store.sessions.restore(sessionId);
      const row = registry.row(sessionId);
      if (row === undefined) return fail("not_found");
      push({ type: "session_row", row });
      return ok({ row });
    },
  }) satisfies Partial<HandlerTable>;

const readHandlers = (services: SessionServices) =>
  ({
    "session.open": ({ sessionId }, client) => {
      const session = sessionOf(services, sessionId);
      const row = services.registry.row(sessionId);
      if (!session.ok || row === undefined) return fail("not_found");
      client.join(sessionId);
      return ok({ snapshot: snapshotOf(session.value.view), row });
    },
    "session.close": ({ sessionId }, client) => {
      client.leave(sessionId);
      return ok(null);
    },
    "session.page": ({ sessionId, before }) => {
      const session = sessionOf(services, sessionId);
      return session.ok ? ok(pageBefore(session.value.view, before)) : session;
    },
    "session.find": ({ sessionId, query }) => {
      const session = sessionOf(services, sessionId);
      return session.ok ? ok(findIn(session.value.view, query, limits.findHits)) : session;
    },
    "session.output": ({ sessionId, callId }) => {
      const session = sessionOf(services, sessionId);
      const output = session.ok ? callIn(session.value.view, callId)?.output : undefined;
      return output === undefined ? fail("not_found") : ok({ output });
    },
    "session.full_output": ({ sessionId, callId }) => {
      const session = sessionOf(services, sessionId);
      const call = session.ok ? callIn(session.value.view, callId) : undefined;
      const bytes = call?.cut?.blob === undefined ? undefined : services.store.blobs.get(call.cut.blob);
      if (bytes !== undefined) return ok({ text: Buffer.from(bytes).toString("utf8"), bytes: bytes.length });
      const text = call?.output === undefined ? undefined : textOf(call.output);
      return text === undefined ? fail("not_found") : ok({ text, bytes: Buffer.byteLength(text) });
    },
  }) satisfies Partial<HandlerTable>;

const runHandlers = (services: SessionServices) =>
  ({
    "session.send": async ({ sessionId, commandId, text, intent, model, connection, ...besides }) => {
      const session = writableSession(services, sessionId);
      if (!session.ok) return session;
      await services.projects.ready(session.value.view.projectId);
      if (model !== undefined) await modelsKnown(services, connection ?? "");
      else if (session.value.view.model === null) await modelsKnown(services);
      const still = writableSession(services, sessionId);
      if (!still.ok) return still;
      const started = still.value.send(text, intent, commandId, {
        ...besides,
        ...(model === undefined ? {} : { model: { name: model, ...(connection === undefined ? {} : { connection }) } }),
      });
      return started.ok ? ok({ seq: started.value.seq }) : started;
    },
    "session.resume": async ({ sessionId, commandId }) => {
      const session = writableSession(services, sessionId);
      if (!session.ok) return session;
      await services.projects.ready(session.value.view.projectId);
      const still = writableSession(services, sessionId);
      if (!still.ok) return still;
      const started = still.value.resume(commandId);
      return started.ok ? ok({ seq: started.value.seq }) : started;
    },
    "session.abort": async ({ sessionId }) => {
      const session = sessionOf(services, sessionId);
      if (!session.ok) return session;
      await session.value.abort();
      return ok(null);
    },
    "session.update": ({ sessionId, commandId, title, mode }, client) => {
      const session = writableSession(services, sessionId);
      if (!session.ok) return session;
      const allowed = mayHaveMode(services, session.value.view.projectId, mode, client);
      if (!allowed.ok) return allowed;
      return ok({
        seq: session.value.update(
          { ...(title === undefined ? {} : { title }), ...(mode === undefined ? {} : { mode }) },
          commandId,
        ),
      });
    },
    "session.model": async ({ sessionId, commandId, model, ...wanted }) => {
      const session = writableSession(services, sessionId);
      if (!session.ok) return session;
      const isRemembered = [wanted.toolMode, wanted.profile, wanted.numCtx].some((value) => value !== undefined);
      const ready = isRemembered ? await services.modelsFile.ready() : ok(null);
      if (!ready.ok) return ready;
      await modelsKnown(services, wanted.connection ?? "");
      const still = writableSession(services, sessionId);
      if (!still.ok) return still;
      const changed = still.value.changeModel({ name: model, ...wanted }, commandId);
      return changed.ok ? ok({ seq: changed.value }) : changed;
    },
  }) satisfies Partial<HandlerTable>;

/** Commands about an active run: its queue and its approvals. */
const steerHandlers = (services: SessionServices) =>
  ({
    "session.unqueue": ({ sessionId, commandId, queuedId }) => {
      const session = writableSession(services, sessionId);
      return session.ok ? ok({ removed: session.value.unqueue(queuedId, commandId) }) : session;
    },
    "session.requeue": ({ sessionId, commandId, queuedId, text }) => {
      const session = writableSession(services, sessionId);
      return session.ok ? ok({ changed: session.value.requeue(queuedId, text, commandId) }) : session;
    },
    "session.answer": async ({ sessionId, approvalId, rule, ...answer }, client) => {
      const session = writableSession(services, sessionId);
      if (!session.ok) return session;
      await services.projects.ready(session.value.view.projectId);
      const still = writableSession(services, sessionId);
      if (!still.ok) return still;
      return ok({
        won: still.value.answer(
          approvalId,
          { ...answer, ...(rule === undefined ? {} : { rule: { tool: "bash", ...rule } }) },
          client.id,
        ),
      });
    },
  }) satisfies Partial<HandlerTable>;
