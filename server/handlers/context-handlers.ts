/** Commands about a session's context (its parts, compaction, editing the summary) and about parts of a run. */
import { ok } from "@/lib/error";
import { ollamaOf, type OllamaServers } from "../models/ollama-of";
import type { HandlerTable } from "./handlers";
import { type HandlerServices, sessionOf, writableSession } from "./services";

export const contextHandlers = (services: Pick<HandlerServices, "registry" | "models" | "connections">) =>
  ({
    "session.compact": ({ sessionId, commandId, focus }) => {
      const session = writableSession(services, sessionId);
      if (!session.ok) return session;
      const started = session.value.compact(focus, commandId);
      return started.ok ? ok({ seq: started.value.seq }) : started;
    },
    "session.edit_summary": ({ sessionId, commandId, of, summary }) => {
      const session = writableSession(services, sessionId);
      if (!session.ok) return session;
      const edited = session.value.editSummary(of, summary, commandId);
      return edited.ok ? ok({ seq: edited.value }) : edited;
    },
    "session.answer_now": ({ sessionId }) => {
      const session = sessionOf(services, sessionId);
      return session.ok ? ok({ accepted: session.value.commands.answerNow() }) : session;
    },
    "session.end_command": ({ sessionId, callId }) => {
      const session = sessionOf(services, sessionId);
      return session.ok ? ok({ ended: session.value.commands.endCommand(callId) }) : session;
    },
    "session.restart_shell": ({ sessionId }) => {
      const session = writableSession(services, sessionId);
      if (!session.ok) return session;
      session.value.commands.restartShell();
      return ok(null);
    },
    "session.context": ({ sessionId }) => {
      const session = sessionOf(services, sessionId);
      if (!session.ok) return session;
      const report = session.value.context();
      if (!report.ok) return report;
      const { window, ...parts } = report.value;
      return ok({ ...parts, window: { ...window, ...otherWindows(services, session.value.view.model) } });
    },
  }) satisfies Partial<HandlerTable>;

/** Window that the model's server has allocated, and the model's trained window, tokens; only Ollama reports them. */
function otherWindows(
  services: OllamaServers,
  used: { readonly provider: string; readonly model: string } | null,
): { readonly allocated?: number; readonly own?: number } {
  const state = used === null ? undefined : ollamaOf(services, used.provider)?.state();
  if (used === null || state === undefined) return {};
  const allocated = state.loaded.find((one) => one.name === used.model)?.contextLength;
  const own = state.models.find((one) => one.name === used.model)?.contextLength;
  return { ...(allocated === undefined ? {} : { allocated }), ...(own === undefined ? {} : { own }) };
}
