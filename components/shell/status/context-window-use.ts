/** The share of the context window in use. Pure. */
import { iterateBackward } from "@/lib/view/chunks";
import { isSameModelName } from "@/lib/models/model-names";
import type { ModelServerState } from "@/lib/models/models";
import type { ContextReport } from "@/lib/protocol/answers";
import { countAnswerTokens } from "@/lib/text/answer-tokens";
import type { SessionView } from "@/lib/view/view";
import { findLoadedModel } from "../start/model-selection";

export interface ContextWindowUse {
  /** 0 to 1; null before the first answer. */
  readonly share: number | null;
  /** Requested, allocated and trained window size in tokens; the smallest is in force. */
  readonly window: ContextReport["window"];
}

export function contextWindowUse(
  view: Pick<SessionView, "model" | "usage" | "entries">,
  server: ModelServerState | undefined,
): ContextWindowUse | null {
  if (view.model === null || view.model.numCtx <= 0) return null;
  const { model, numCtx: requestedTokens } = view.model;
  const allocated = findLoadedModel(server, model)?.contextLength;
  const own = server?.models.find((one) => isSameModelName(one.name, model))?.contextLength;
  const inForce = Math.min(requestedTokens, own ?? requestedTokens, allocated ?? requestedTokens);
  const used = tokensInUse(view);
  return {
    share: used === null ? null : Math.min(1, used / inForce),
    window: {
      inForce,
      asked: requestedTokens,
      allocated,
      own,
    },
  };
}

/**
 * Returns the number of tokens the next prompt begins with, from the newest answer or a later compaction; null before
 * the first answer.
 */
function tokensInUse({ usage, entries }: Pick<SessionView, "usage" | "entries">): number | null {
  for (const entry of iterateBackward(entries)) {
    if (entry.kind === "message" && entry.usage !== undefined) {
      const { promptTokens, estimatedPromptTokens } = entry.usage;
      // Zero counts: a server stopped during its answer reports none.
      return (promptTokens || estimatedPromptTokens) + countAnswerTokens(entry.blocks, entry.usage);
    }
    if (entry.kind === "compaction" && entry.state === "done" && entry.tokensAfter !== undefined)
      return entry.tokensAfter;
  }
  return usage === null ? null : (usage.promptTokens || usage.estimatedPromptTokens) + usage.outputTokens;
}
