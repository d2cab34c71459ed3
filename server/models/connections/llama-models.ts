/** What a llama-server has allocated for its models, and loading one of them before it is used. */
import type { Result } from "@/lib/events/error";
import type { ModelInfo } from "@/lib/models/models";
import { serverLimits } from "@/lib/settings/server-limits";
import { abortable, pause, timeLimit } from "@/server/base/abort";
import type { OpenAiProvider } from "@/server/providers/openai/openai";
import { providerResult } from "../provider-result";
import { isLlamaServerList, type LlamaProperties } from "@/server/providers/openai/openai-models";

/** Loads models of a server that does so on demand. */
export interface ModelLoader {
  /**
   * Requests the list, if there is none or it has states. False for a server that lists no states, and for a model that sleeps: a
   * request wakes it.
   */
  needsLoad(model: string, signal: AbortSignal): Promise<boolean>;
  /** Resolves when the model is loaded, or cannot be: a request for an answer then fails with the reason. Never rejects. */
  load(model: string, signal: AbortSignal): Promise<void>;
  /** Starts to load a model, or unloads it, at the user's request. Fails with the server's error. */
  change(change: "load" | "unload", model: string, signal: AbortSignal): Promise<Result<null>>;
}

const withWindow = (model: ModelInfo, window: number | undefined): ModelInfo =>
  model.contextLength === undefined && window !== undefined ? { ...model, contextLength: window } : model;

/** Interval between two requests of the list while a model loads, ms. */
const loadPollMs = 300;

export function makeLlamaModels(
  provider: Pick<OpenAiProvider, "properties" | "changeLoad" | "holdsAnswers">,
  lastList: () => readonly ModelInfo[] | undefined,
  fetchList: () => Promise<Result<readonly ModelInfo[]>>,
  /** As `fetchList`, but not with the answer to an earlier request. */
  freshList: () => Promise<Result<readonly ModelInfo[]>>,
) {
  let slots: number | undefined;
  /** Requested once; undefined = there was no answer yet. */
  let holdsAnswers: boolean | undefined;
  let isLlamaServer = false;
  const properties = new Map<string, LlamaProperties>();
  const stateOf = (name: string) => lastList()?.find((model) => model.name === name)?.load?.state;

  /** One request at a time, for models in memory alone: the question about a sleeping one could wake it. */
  async function readProperties(models: readonly ModelInfo[], signal: AbortSignal): Promise<void> {
    for (const { name, load } of models) {
      if (load?.state !== "loaded" && load?.state !== "sleeping") properties.delete(name);
      if (load?.state !== "loaded") continue;
      const found = await provider.properties(signal, name).catch(() => undefined);
      if (found !== undefined) properties.set(name, found);
    }
    const all = [...properties.values()].flatMap((each) => each.slots ?? []);
    slots = all.length === 0 ? undefined : Math.min(...all);
  }

  const ownProperties = (signal: AbortSignal) => provider.properties(signal).catch(() => undefined);

  async function readOnly(models: readonly ModelInfo[], signal: AbortSignal): Promise<void> {
    const found = await ownProperties(signal);
    slots = found?.slots;
    if (models.length === 1 && found !== undefined) properties.set(models[0]?.name ?? "", found);
  }

  const loader: ModelLoader = {
    async needsLoad(name, signal) {
      const isFirst = lastList() === undefined;
      if (!isFirst && stateOf(name) === undefined) return false;
      const limit = isFirst ? timeLimit(serverLimits.serverAnswerMs, signal) : signal;
      await abortable(fetchList(), limit).catch(() => {});
      return ["unloaded", "loading", "failed"].includes(stateOf(name) ?? "");
    },
    async load(name, signal) {
      // A router that is about to unload another model may never answer: a request for an answer loads it, too.
      await provider.changeLoad("load", name, timeLimit(serverLimits.serverListMs, signal)).catch(() => {});
      let list = await abortable(freshList(), signal).catch(() => null);
      // A server that has ended, for lack of memory as a rule, loads nothing any more.
      while (list?.ok === true && stateOf(name) === "loading" && (await pause(loadPollMs, signal)))
        list = await abortable(fetchList(), signal).catch(() => null);
    },
    change: (change, name, signal) =>
      providerResult(async () => {
        await provider.changeLoad(change, name, signal);
        return null;
      }),
  };
  return {
    /** Conversations that each of its models works on at once. */
    slots: () => slots,
    template: (name: string) => properties.get(name)?.template,
    holdsAnswers: () => holdsAnswers === true,
    isLlamaServer: () => isLlamaServer,
    /** Whether a model is in memory, so that no request loads or wakes it. Never rejects. */
    async isAwake(name: string, signal: AbortSignal): Promise<boolean> {
      if (stateOf(name) === undefined) return (await ownProperties(signal))?.isSleeping === false;
      await abortable(fetchList(), signal).catch(() => {});
      return stateOf(name) === "loaded";
    },
    /** Adds windows that the list lacks. Never rejects. */
    async complete(models: readonly ModelInfo[], signal: AbortSignal): Promise<readonly ModelInfo[]> {
      isLlamaServer = isLlamaServerList(models);
      if (!isLlamaServer) return models;
      const held = holdsAnswers ?? provider.holdsAnswers(signal).catch(() => undefined);
      await (models.some(({ load }) => load !== undefined) ? readProperties : readOnly)(models, signal);
      holdsAnswers = await held;
      return models.map((model) => withWindow(model, properties.get(model.name)?.window));
    },
    loader,
  };
}
