/** Operations on one model: its details, its windows, deleting it. */
import { fail, ok, type Result } from "@/lib/error";
import type { ModelDetails, ModelInfo, WindowPlan } from "@/lib/models";
import { orAborted } from "@/server/base/abort";
import type { OllamaProvider } from "@/server/providers/ollama";
import { asked } from "./asked";
import { findModel } from "./choose-model";
import type { Observer } from "./observer";
import type { Shapes } from "./shapes";

export interface ModelPages {
  /** Finds the model by name; refreshes the list if it is not in the cached one. Fails with model_missing. */
  find(name: string, signal: AbortSignal): Promise<Result<ModelInfo>>;
  /** Plans its windows, once its shape is known. Fails with model_missing. */
  window(name: string, signal: AbortSignal): Promise<Result<WindowPlan>>;
  /** Its details. Fails with the server's error. */
  show(name: string, signal: AbortSignal): Promise<Result<ModelDetails>>;
  /** Deletes it from the server's disk. Fails with the server's error. */
  remove(name: string, signal: AbortSignal): Promise<Result<null>>;
  /** Resolves when every installed model's shape has been queried, or when `signal` aborts. */
  shapesKnown(signal: AbortSignal): Promise<void>;
}

export interface PagesOptions {
  readonly provider: Pick<OllamaProvider, "show" | "remove">;
  readonly observer: Pick<Observer, "state" | "ask" | "completeAgain">;
  readonly shapes: Shapes;
  readonly plan: (model: ModelInfo) => WindowPlan;
}

export function makePages({ provider, observer, shapes, plan }: PagesOptions): ModelPages {
  async function find(name: string, signal: AbortSignal): Promise<Result<ModelInfo>> {
    const known = findModel(observer.state().models, name);
    if (known !== undefined) return ok(known);
    const state = await orAborted(observer.ask(), signal);
    const model = findModel(state.models, name);
    if (model !== undefined) return ok(model);
    return state.error === undefined
      ? fail("model_missing", undefined, { model: name })
      : { ok: false, error: state.error };
  }
  async function show(name: string, signal: AbortSignal): Promise<Result<ModelDetails>> {
    const model = await find(name, signal);
    if (!model.ok) return model;
    return asked(async () => {
      const details = await provider.show(model.value.name, signal);
      shapes.took(model.value, details);
      observer.completeAgain();
      const { parameters, template, license } = details;
      const window = plan(findModel(observer.state().models, name) ?? model.value);
      return { name: model.value.name, parameters, template, license, window };
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
      asked(async () => {
        await provider.remove(name, signal);
        await orAborted(observer.ask(), signal);
        return null;
      }),
    shapesKnown: (signal) => orAborted(shapes.settled(), signal).catch(() => undefined),
  };
}
