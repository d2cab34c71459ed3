/** Requests a short text without a conversation, where the server holds none that the request could continue. */
import { fail, type Result } from "@/lib/events/error";
import type { SessionId } from "@/lib/events/id";
import type { ModelState } from "@/lib/view/view";
import type { ModelFacts } from "@/lib/models/model-facts";
import type { Settings } from "@/lib/settings/settings";
import { randomId } from "@/server/base/id";
import type { CacheUse } from "@/server/providers/cache-use";
import type { ModelPart, ModelRequest, PhasePart } from "@/server/providers/provider";
import { toStallMs } from "../context/build-request";
import { contextBudget } from "../context/context-budget";
import { readSideAnswer, type SideAnswer } from "./read-side-answer";
import { askShare, type SideRequest } from "./request-beside";

/** The use of models without a session. */
interface AloneHost {
  /** `owner` identifies the request in the queue of the server. */
  stream(request: ModelRequest, signal: AbortSignal, owner: SessionId): AsyncIterable<ModelPart>;
  cacheUse(request: ModelRequest): CacheUse;
  modelFacts(model: Omit<ModelState, "prompt">): ModelFacts;
  readyModel(
    request: ModelRequest,
    onPhase: (part: PhasePart) => void,
    signal: AbortSignal,
    owner: SessionId,
  ): Promise<unknown>;
  settings(): Pick<Settings, "keepAliveMinutes" | "stallSeconds">;
}

/**
 * Returns the answer; null = none was requested, since the server would lose the conversation it holds, unless `mayReplace`. The
 * model does not think where that can be switched off. Fails with busy while the server works, window_full, and like
 * `readSideAnswer`.
 */
export async function requestAlone(
  { stream, cacheUse, modelFacts, readyModel, settings }: AloneHost,
  model: Omit<ModelState, "prompt">,
  { mayReplace, ...side }: SideRequest & { readonly mayReplace: boolean },
  signal: AbortSignal,
): Promise<Result<SideAnswer> | null> {
  const { tokens, scale } = contextBudget(modelFacts(model));
  const text = side.ask(Math.floor(tokens * askShare), scale);
  if (text === null) return fail("window_full");
  const { keepAliveMinutes, stallSeconds } = settings();
  const request: ModelRequest = {
    provider: model.provider,
    model: model.model,
    messages: [{ role: "user", text }],
    tools: [],
    numCtx: model.numCtx,
    think: typeof model.think === "string" ? "low" : false,
    ...(model.reasoning === undefined ? {} : { reasoning: model.reasoning }),
    keepAliveMinutes,
    maxOutputTokens: side.answerTokens + (model.think === false ? 0 : side.thinkingTokens),
    stallMs: toStallMs(stallSeconds),
  };
  const use = cacheUse(request);
  if (use === "busy") return fail("busy");
  if (use === "replaces" && !mayReplace) return null;
  const owner = randomId<SessionId>("s");
  await readyModel(request, () => undefined, signal, owner);
  return readSideAnswer(stream(request, signal, owner), { tools: [], mode: "native" }, signal);
}
