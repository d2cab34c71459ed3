/** Operations on one model: its details, its windows, deleting it. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { ModelDetails, ModelInfo, WindowPlan } from "@/lib/models/models";
import { abortable } from "@/server/base/abort";
import type { OllamaProvider } from "@/server/providers/ollama/ollama";
import { providerResult } from "../provider-result";
import { findModel } from "../choice/choose-model";
import type { ServerObserver } from "./server-observer";
import type { ModelShapes } from "./model-shapes";

export interface ModelOperations {
  /** Finds the model by name; refreshes the list if it is not in the cached one. Fails with model_missing. */
  find(name: string, signal: AbortSignal): Promise<Result<ModelInfo>>;
  /** Plans its windows, once its shape is known. Fails with model_missing. */
  window(name: string, signal: AbortSignal): Promise<Result<WindowPlan>>;
  /** Its details. Fails with the server's error. */
  show(name: string, signal: AbortSignal): Promise<Result<ModelDetails>>;
  /** Deletes it from the server's disk. Fails with the server's error. */
  remove(name: string, signal: AbortSignal): Promise<Result<null>>;
  /** Resolves when every installed model's shape has been queried, or when `signal` aborts. */
  shapesReady(signal: AbortSignal): Promise<void>;
}

interface ModelOperationsOptions {
  readonly provider: Pick<OllamaProvider, "show" | "remove">;
  readonly observer: Pick<ServerObserver, "state" | "ask" | "completeAgain">;
  readonly shapes: ModelShapes;
  readonly plan: (model: ModelInfo) => WindowPlan;
}

export function makeModelOperations({ provider, observer, shapes, plan }: ModelOperationsOptions): ModelOperations {
  async function find(name: string, signal: AbortSignal): Promise<Result<ModelInfo>> {
    const listed = findModel(observer.state().models, name);
    if (listed !== undefined) return ok(listed);
    const state = await abortable(observer.ask(), signal);
    const model = findModel(state.models, name);
    if (model !== undefined) return ok(model);
    return state.error === undefined
      ? fail("model_missing", undefined, { model: name })
      : { ok: false, error: state.error };
  }
  async function show(name: string, signal: AbortSignal): Promise<Result<ModelDetails>> {
    const model = await find(name, signal);
    if (!model.ok) return model;
    return providerResult(async () => {
      const details = await provider.show(model.value.name, signal);
      shapes.record(model.value, details);
      observer.completeAgain();
      const { parameters, template, parser, renderer, license } = details;
      const window = plan(findModel(observer.state().models, name) ?? model.value);
      return { name: model.value.name, parameters, template, parser, renderer, license, window };
    });
  }
  return {
    find,
    show,
    async window(name, signal) {
      const model = await find(name, signal);
      if (!model.ok) return model;
      if (model.value.kvBytesPerToken !== undefined || model.value.cloud) return ok(plan(model.value));
      const shown = await show(name, signal);
      return ok(shown.ok ? shown.value.window : plan(model.value));
    },
    remove: (name, signal) =>
      providerResult(async () => {
        await provider.remove(name, signal);
        await abortable(observer.ask(), signal);
        return null;
      }),
    shapesReady: (signal) => abortable(shapes.settled(), signal).catch(() => undefined),
  };
}
