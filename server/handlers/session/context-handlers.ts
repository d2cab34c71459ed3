/** Commands about a session's context (its parts, compaction, editing the summary) and about parts of a run. */
import { ok } from "@/lib/events/error";
import { neverAborted } from "@/server/base/abort";
import { isSameModelName } from "@/lib/models/model-names";
import { findOllama, type OllamaLookup } from "@/server/models/ollama/find-ollama";
import type { HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";

export const contextHandlers = ({ sessions, access }: CoreServices) =>
  ({
    "session.compact": ({ sessionId, commandId, focus }) =>
      sessions.change(sessionId, (session) => {
        const started = session.compact(focus, commandId);
        return started.ok ? ok({ seq: started.value.seq }) : started;
      }),
    "session.edit_summary": ({ sessionId, commandId, of, summary }) =>
      sessions.change(sessionId, (session) => session.editSummary(of, summary, commandId)),
    "session.answer_now": ({ sessionId }) => {
      const session = sessions.get(sessionId);
      return session.ok ? ok({ accepted: session.value.controls.answerNow() }) : session;
    },
    "session.end_command": ({ sessionId, callId }) => {
      const session = sessions.get(sessionId);
      return session.ok ? ok({ ended: session.value.controls.endCommand(callId) }) : session;
    },
    "session.restart_shell": ({ sessionId }) =>
      sessions.change(sessionId, ({ controls }) => {
        controls.restartShell();
        return ok(null);
      }),
    "session.context": async ({ sessionId }) => {
      const session = sessions.get(sessionId);
      if (!session.ok) return session;
      await session.value.readPins(neverAborted);
      const report = await session.value.context(neverAborted);
      if (!report.ok) return report;
      const { window, ...parts } = report.value;
      return ok({ ...parts, window: { ...window, ...serverWindows(access, session.value.view.model) } });
    },
  }) satisfies Partial<HandlerTable>;

/** Window that the model's server has allocated, and the model's trained window, tokens; only Ollama reports them. */
function serverWindows(
  services: OllamaLookup,
  used: { readonly provider: string; readonly model: string } | null,
): { readonly allocated?: number; readonly own?: number } {
  const state = used === null ? undefined : findOllama(services, used.provider)?.state();
  if (used === null || state === undefined) return {};
  const allocated = state.loaded.find((one) => isSameModelName(one.name, used.model))?.contextLength;
  const own = state.models.find((one) => isSameModelName(one.name, used.model))?.contextLength;
  return { allocated, own };
}
