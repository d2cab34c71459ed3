/** Models in the memory of their server: load state and window, loading and unloading. */
import { abortable } from "@/server/base/abort";
import type { LoadedModel, ModelInfo, WindowPlan } from "@/lib/models/models";
import type { Result } from "@/lib/events/error";
import type { OllamaProvider } from "@/server/providers/ollama/ollama";
import { providerResult } from "../provider-result";
import { findModel } from "../choice/choose-model";
import type { ModelKnowledge } from "../notes/model-knowledge";
import type { ModelKey } from "../notes/model-note-cache";
import type { ServerObserver } from "./server-observer";

export interface ModelMemory {
  /** Loads a model with the window its answers will use, and learns the load time. Throws ProviderError. */
  warm(model: string, numCtx: number, keepAliveMinutes: number, signal: AbortSignal): Promise<void>;
  /** Fails with the server's error. */
  unload(model: string, signal: AbortSignal): Promise<Result<null>>;
  /** By the last known state; undefined = no state yet. */
  isLoaded(model: string, numCtx: number): boolean | undefined;
  /** To be called when the model answers a request for this window: queries the memory state unless it is known. */
  answerStarted(model: string, numCtx: number): void;
  /** Queries the memory state and the allocation for this window; undefined = not loaded, or not reported. */
  queryLoaded(model: string, numCtx: number): Promise<LoadedModel | undefined>;
  plan(model: ModelInfo): WindowPlan;
  /** Key of a model's notes. */
  keyOf(name: string): ModelKey;
}

interface MemoryOptions {
  readonly provider: Pick<OllamaProvider, "id" | "warm" | "unload">;
  readonly observer: Pick<ServerObserver, "state" | "ask" | "askLoaded">;
  readonly known: ModelKnowledge;
  /** ms; steady */
  readonly now: () => number;
}

export function makeMemory({ provider, observer, known, now }: MemoryOptions): ModelMemory {
  const keyOf = (name: string): ModelKey => {
    const { name: fullName = name, digest } = findModel(observer.state().models, name) ?? {};
    return { provider: provider.id, name: fullName, digest };
  };
  const loadedOf = (name: string): LoadedModel | undefined => {
    const { name: fullName } = keyOf(name);
    const one = observer.state().loaded.find((loaded) => loaded.name === fullName);
    // Without polling, the state is as old as the last answer.
    return one?.expiresAt !== undefined && one.expiresAt <= Date.now() ? undefined : one;
  };
  async function lookAtLoaded(name: string, numCtx: number): Promise<LoadedModel | undefined> {
    await (observer.state().status === "ready" ? observer.askLoaded() : observer.ask());
    const loaded = loadedOf(name);
    if (loaded !== undefined) known.recordLoaded(keyOf(name), numCtx, loaded);
    return loaded;
  }
  function isLoaded(name: string, numCtx: number): boolean | undefined {
    if (observer.state().status === "unknown") return undefined;
    const loaded = loadedOf(name);
    if (loaded === undefined) return false;
    const { contextLength = numCtx } = loaded;
    return contextLength === numCtx || contextLength === known.allocated(keyOf(name).name, numCtx);
  }
  return {
    keyOf,
    isLoaded,
    queryLoaded: lookAtLoaded,
    plan: (model) => known.plan(model, loadedOf(model.name)),
    answerStarted(model, numCtx) {
      if (isLoaded(model, numCtx) !== true) void lookAtLoaded(model, numCtx);
    },
    async warm(model, numCtx, keepAliveMinutes, signal) {
      const startedAt = isLoaded(model, numCtx) === false ? now() : undefined;
      await provider.warm(model, numCtx, keepAliveMinutes, signal);
      if (startedAt !== undefined) known.learnLoad(keyOf(model), now() - startedAt);
      await abortable(lookAtLoaded(model, numCtx), signal);
    },
    unload: (model, signal) =>
      providerResult(async () => {
        await provider.unload(model, signal);
        await abortable(observer.askLoaded(), signal);
        return null;
      }),
  };
}
