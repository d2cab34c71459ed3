/** Commands of the session family. */
import { joinTextBlocks } from "@/lib/events/content";
import { fail, ok } from "@/lib/events/error";
import { findInConversation } from "@/lib/view/find";
import { limits } from "@/lib/settings/settings";
import { pageBefore, createSessionSnapshot } from "@/lib/view/snapshot";
import { findCall } from "./find-call";
import { contextHandlers } from "./context-handlers";
import { checkModeAllowed } from "../project/guard-handlers";
import type { HandlerTable } from "../handlers";
import { type HandlerServices, ensureModelsListed, requireSession, requireWritableSession } from "../services";

type SessionHandlerServices = Pick<
  HandlerServices,
  "registry" | "store" | "projects" | "models" | "modelsFile" | "connections" | "push" | "now"
>;

export const sessionHandlers = (services: SessionHandlerServices) => ({
  ...lifecycleHandlers(services),
  ...readHandlers(services),
  ...runHandlers(services),
  ...steerHandlers(services),
  ...contextHandlers(services),
});

const lifecycleHandlers = ({ registry, store, projects, push, now, models, connections }: SessionHandlerServices) =>
  ({
    "session.list": (input) => ok(store.sessions.list({ ...input, limit: limits.historyPageEntries })),
    "session.create": async ({ projectId, commandId, mode, model, connection }, client) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const allowed = checkModeAllowed({ store }, projectId, mode, client);
      if (!allowed.ok) return allowed;
      const session = registry.create({
        projectId,
        cwd: project.value.root,
        mode: mode ?? store.settings.read().mode,
        commandId,
      });
      if ((model !== undefined || connection !== undefined) && session.view.model === null) {
        await ensureModelsListed({ models, connections, store }, connection ?? "");
        const wanted = { name: model ?? "", ...(connection === undefined ? {} : { connection }) };
        const changed = session.changeModel(wanted, commandId);
        if (!changed.ok) return changed;
      }
      const row = registry.row(session.id);
      return row === undefined ? fail("not_found") : ok({ row });
    },
    "session.remove": async ({ sessionId }) => {
      const session = requireSession({ registry }, sessionId);
      if (!session.ok) return session;
      // Marked as deleted first, so that nothing starts while the run ends.
      store.sessions.remove(sessionId, now());
      await session.value.abort();
      if (session.value.idle) session.value.suspend();
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

const readHandlers = (services: SessionHandlerServices) =>
  ({
    "session.open": ({ sessionId }, client) => {
      const session = requireSession(services, sessionId);
      const row = services.registry.row(sessionId);
      if (!session.ok || row === undefined) return fail("not_found");
      client.join(sessionId);
      return ok({ snapshot: createSessionSnapshot(session.value.view), row });
    },
    "session.close": ({ sessionId }, client) => {
      client.leave(sessionId);
      return ok(null);
    },
    "session.page": ({ sessionId, before }) => {
      const session = requireSession(services, sessionId);
      return session.ok ? ok(pageBefore(session.value.view, before)) : session;
    },
    "session.find": ({ sessionId, query }) => {
      const session = requireSession(services, sessionId);
      return session.ok ? ok(findInConversation(session.value.view, query, limits.findHits)) : session;
    },
    "session.output": ({ sessionId, callId }) => {
      const session = requireSession(services, sessionId);
      const output = session.ok ? findCall(session.value.view, callId)?.output : undefined;
      return output === undefined ? fail("not_found") : ok({ output });
    },
    "session.full_output": ({ sessionId, callId }) => {
      const session = requireSession(services, sessionId);
      const call = session.ok ? findCall(session.value.view, callId) : undefined;
      const bytes = call?.cut?.blob === undefined ? undefined : services.store.blobs.get(call.cut.blob);
      if (bytes !== undefined) return ok({ text: Buffer.from(bytes).toString("utf8"), bytes: bytes.length });
      const text = call?.output === undefined ? undefined : joinTextBlocks(call.output);
      return text === undefined ? fail("not_found") : ok({ text, bytes: Buffer.byteLength(text) });
    },
  }) satisfies Partial<HandlerTable>;

const runHandlers = (services: SessionHandlerServices) =>
  ({
    "session.send": async ({ sessionId, commandId, text, intent, model, connection, ...besides }) => {
      const session = requireWritableSession(services, sessionId);
      if (!session.ok) return session;
      await services.projects.waitUntilReady(session.value.view.projectId);
      if (model !== undefined) await ensureModelsListed(services, connection ?? "");
      else if (session.value.view.model === null) await ensureModelsListed(services);
      const still = requireWritableSession(services, sessionId);
      if (!still.ok) return still;
      const started = still.value.send(text, intent, commandId, {
        ...besides,
        ...(model === undefined ? {} : { model: { name: model, ...(connection === undefined ? {} : { connection }) } }),
      });
      return started.ok ? ok({ seq: started.value.seq }) : started;
    },
    "session.resume": async ({ sessionId, commandId }) => {
      const session = requireWritableSession(services, sessionId);
      if (!session.ok) return session;
      await services.projects.waitUntilReady(session.value.view.projectId);
      const still = requireWritableSession(services, sessionId);
      if (!still.ok) return still;
      const started = still.value.resume(commandId);
      return started.ok ? ok({ seq: started.value.seq }) : started;
    },
    "session.abort": async ({ sessionId }) => {
      const session = requireSession(services, sessionId);
      if (!session.ok) return session;
      await session.value.abort();
      return ok(null);
    },
    "session.update": ({ sessionId, commandId, title, mode }, client) => {
      const session = requireWritableSession(services, sessionId);
      if (!session.ok) return session;
      const allowed = checkModeAllowed(services, session.value.view.projectId, mode, client);
      if (!allowed.ok) return allowed;
      return ok({
        seq: session.value.update(
          { ...(title === undefined ? {} : { title }), ...(mode === undefined ? {} : { mode }) },
          commandId,
        ),
      });
    },
    "session.model": async ({ sessionId, commandId, model, ...wanted }) => {
      const session = requireWritableSession(services, sessionId);
      if (!session.ok) return session;
      const isRemembered = [wanted.toolMode, wanted.profile, wanted.numCtx].some((value) => value !== undefined);
      const ready = isRemembered ? await services.modelsFile.ready() : ok(null);
      if (!ready.ok) return ready;
      await ensureModelsListed(services, wanted.connection ?? "");
      const still = requireWritableSession(services, sessionId);
      if (!still.ok) return still;
      const changed = still.value.changeModel({ name: model, ...wanted }, commandId);
      return changed.ok ? ok({ seq: changed.value }) : changed;
    },
  }) satisfies Partial<HandlerTable>;

/** Commands about an active run: its queue and its approvals. */
const steerHandlers = (services: SessionHandlerServices) =>
  ({
    "session.unqueue": ({ sessionId, commandId, queuedId }) => {
      const session = requireWritableSession(services, sessionId);
      return session.ok ? ok({ removed: session.value.unqueue(queuedId, commandId) }) : session;
    },
    "session.requeue": ({ sessionId, commandId, queuedId, text }) => {
      const session = requireWritableSession(services, sessionId);
      return session.ok ? ok({ changed: session.value.requeue(queuedId, text, commandId) }) : session;
    },
    "session.answer": async ({ sessionId, approvalId, rule, ...answer }, client) => {
      const session = requireWritableSession(services, sessionId);
      if (!session.ok) return session;
      await services.projects.waitUntilReady(session.value.view.projectId);
      const still = requireWritableSession(services, sessionId);
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
