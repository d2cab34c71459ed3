/** Models of LM Studio, which loads one with the window that a request to load it asks for. */
import { ok, type Result } from "@/lib/events/error";
import type { ModelInfo, ModelLoad } from "@/lib/models/models";
import { abortable } from "@/server/base/abort";
import type { LmStudio } from "@/server/providers/openai/lmstudio-loading";
import { providerResult } from "../provider-result";
import type { ModelLoader } from "./llama-models";

export function makeLmStudioModels(
  server: LmStudio,
  lastList: () => readonly ModelInfo[] | undefined,
  /** Requests the list, not with the answer to an earlier request. */
  freshList: () => Promise<Result<readonly ModelInfo[]>>,
  /** A load began or ended. */
  onChange: () => void,
  closing: AbortSignal,
) {
  /** Loads that were requested here: its list has models in memory alone. */
  const loads = new Map<string, Promise<Result<null>>>();
  const failed = new Set<string>();
  const find = (name: string): ModelInfo | undefined => lastList()?.find((model) => model.name === name);
  const isReady = (name: string, window: number): boolean =>
    find(name)?.load?.state === "loaded" && (find(name)?.contextLength ?? 0) >= window;

  async function start(name: string, window: number): Promise<Result<null>> {
    const loaded = await providerResult(async () => {
      if (find(name)?.load?.state === "loaded") await server.unload(name, closing);
      await server.load(name, window, closing);
      return null;
    });
    loads.delete(name);
    if (!loaded.ok) failed.add(name);
    onChange();
    return loaded;
  }
  /** It continues when no one waits for it any more. */
  function load(name: string, window: number): Promise<Result<null>> {
    const running = loads.get(name);
    if (running !== undefined) return running;
    failed.delete(name);
    const loading = start(name, window).catch((): Result<null> => ({ ok: false, error: { code: "aborted" } }));
    loads.set(name, loading);
    onChange();
    return loading;
  }
  function stateOf({ name, load: listed }: ModelInfo): ModelLoad["state"] | undefined {
    if (listed !== undefined && loads.has(name)) return "loading";
    return listed?.state === "unloaded" && failed.has(name) ? "failed" : listed?.state;
  }

  const loader: ModelLoader = {
    async needsLoad(name, window, signal) {
      await abortable(freshList(), signal).catch(() => {});
      return find(name)?.load !== undefined && !isReady(name, window);
    },
    async load(name, window, signal) {
      await abortable(load(name, window), signal).catch(() => {});
      await abortable(freshList(), signal).catch(() => {});
      return find(name)?.load?.state === "loaded";
    },
    async change(change, name, window, signal) {
      if (change === "unload")
        return providerResult(async () => {
          await server.unload(name, signal);
          return null;
        });
      // A second load of it would be beside the first.
      await abortable(freshList(), signal).catch(() => {});
      if (isReady(name, window)) return ok(null);
      // The list has the result of one that takes longer.
      return abortable(load(name, window), signal).catch(() => ok(null));
    },
  };
  return {
    loader,
    async complete(models: readonly ModelInfo[]): Promise<readonly ModelInfo[]> {
      for (const { name, load } of models) if (load?.state === "loaded") failed.delete(name);
      return models.map((model) => {
        const state = stateOf(model);
        return state === undefined ? model : { ...model, load: { ...model.load, state } };
      });
    },
  };
}
