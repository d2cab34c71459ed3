/** Reads what a llama-server has allocated for its models, and loads one of them before it is used. */
import type { Result } from "@/lib/events/error";
import type { Connection, ModelInfo, ModelLoad } from "@/lib/models/models";
import { serverLimits } from "@/lib/settings/server-limits";
import { abortable, pause, timeLimit } from "@/server/base/abort";
import type { LlamaRouter, LoadProgress } from "@/server/providers/openai/llama-router";
import { ProviderError } from "@/server/providers/provider";
import { providerResult } from "../provider-result";
import { isLlamaServerList, type LlamaProperties } from "@/server/providers/openai/openai-models";
import type { RouterEvents } from "./router-events";

/** Loads models of a server that does so on demand. */
export interface ModelLoader {
  /**
   * Requests the list, if there is none or it has states. False for a server that lists no states, and for a model that
   * sleeps: a request wakes it. `window` = tokens that the session has chosen.
   */
  needsLoad(model: string, window: number, signal: AbortSignal): Promise<boolean>;
  /** Resolves with whether the model is loaded; if it cannot be, a request for an answer fails with the reason. Never rejects. */
  load(model: string, window: number, signal: AbortSignal): Promise<boolean>;
  /**
   * Starts to load a model with the window of new sessions, or unloads it, at the user's request: the list is up to date
   * then, unless the signal fires before. Fails with the server's error.
   */
  change(change: "load" | "unload", model: string, window: number, signal: AbortSignal): Promise<Result<null>>;
}

const isInMemory = ({ load }: ModelInfo): boolean =>
  load === undefined || load.state === "loaded" || load.state === "sleeping";

/** Whether the server has answered, and would answer the same again. */
const isFinalAnswer = (cause: unknown): boolean =>
  cause instanceof ProviderError && !cause.retryable && cause.error.code !== "server_unreachable";

/** Interval between two requests of the list while a model is loaded or unloaded, ms. */
const listPollMs = 300;

export function makeLlamaModels(
  router: Pick<LlamaRouter, "properties" | "changeLoad" | "slots" | "runsCommands" | "holdsAnswers">,
  lastList: () => readonly ModelInfo[] | undefined,
  fetchList: () => Promise<Result<readonly ModelInfo[]>>,
  /** As `fetchList`, but not with the answer to an earlier request. */
  freshList: () => Promise<Result<readonly ModelInfo[]>>,
  events: Pick<RouterEvents, "follow" | "progressOf">,
  /** Other machines reach the server. */
  isOnNetwork: boolean,
) {
  let slots: number | undefined;
  let isRouter = false;
  /** undefined = not answered yet */
  let runsCommands: boolean | undefined;
  /** Requested once; undefined = there was no answer yet. */
  let holdsAnswers: boolean | undefined;
  let isLlamaServer = false;
  const properties = new Map<string, LlamaProperties>();
  const stateOf = (name: string) => lastList()?.find((model) => model.name === name)?.load?.state;

  /** One request at a time, for models in memory alone: the question about a sleeping one could wake it. */
  async function readProperties(models: readonly ModelInfo[], signal: AbortSignal): Promise<void> {
    for (const { name, load } of models) {
      if (load?.state !== "loaded") continue;
      const found = await router.properties(signal, name).catch(() => undefined);
      if (found !== undefined) properties.set(name, found);
    }
    const all = models.filter(isInMemory).flatMap(({ name }) => properties.get(name)?.slots ?? []);
    slots = all.length === 0 ? undefined : Math.min(...all);
    isRouter = models.some(({ load }) => load?.canRemove !== undefined);
  }

  const ownProperties = (signal: AbortSignal) => router.properties(signal).catch(() => undefined);

  async function readOnly(models: readonly ModelInfo[], signal: AbortSignal): Promise<void> {
    const found = await ownProperties(signal);
    slots = found?.slots;
    isRouter = found?.isRouter === true;
    const [model] = models;
    if (model !== undefined && models.length === 1 && found !== undefined) properties.set(model.name, found);
  }

  const loader = makeRouterLoader(router, lastList, stateOf, fetchList, freshList);
  return {
    facts: (): Pick<Connection, "downloads" | "runsCommands"> => ({
      ...(isRouter ? { downloads: true } : {}),
      ...(runsCommands === true ? { runsCommands: true } : {}),
    }),
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
    /** Adds windows and capabilities that the list lacks. Never rejects. */
    async complete(models: readonly ModelInfo[], signal: AbortSignal): Promise<readonly ModelInfo[]> {
      // A router may have no models yet.
      events.follow(models);
      isLlamaServer = models.length === 0 || isLlamaServerList(models);
      if (!isLlamaServer) return models;
      const held = holdsAnswers ?? router.holdsAnswers(signal).catch(() => undefined);
      if (isOnNetwork)
        runsCommands ??= await router.runsCommands(signal).catch((cause) => (isFinalAnswer(cause) ? false : undefined));
      await (models.some(({ load }) => load !== undefined) ? readProperties : readOnly)(models, signal);
      holdsAnswers = await held;
      return models.map((model) => withProperties(model, properties.get(model.name), events.progressOf(model.name)));
    },
    /** Adds which of its slots are busy to models in memory, one request at a time. Never rejects. */
    withSlots: (models: readonly ModelInfo[], signal: AbortSignal): Promise<readonly ModelInfo[]> =>
      addSlotsToAll(router, models, (name) => properties.get(name)?.showsSlots === true, signal),
    loader,
  };
}

function withProperties(
  model: ModelInfo,
  { window, capabilities = [] }: Partial<LlamaProperties> = {},
  progress?: LoadProgress,
): ModelInfo {
  return {
    ...model,
    // It may be loaded with another window next time; what it can do stays.
    contextLength: model.contextLength ?? (isInMemory(model) ? window : undefined),
    capabilities: capabilities.length > 0 ? capabilities : model.capabilities,
    ...(model.load?.state === "loading" ? { load: { ...model.load, ...progress } } : {}),
  };
}

async function addSlotsToAll(
  router: Pick<LlamaRouter, "slots">,
  models: readonly ModelInfo[],
  showsSlots: (model: string) => boolean,
  signal: AbortSignal,
): Promise<readonly ModelInfo[]> {
  const all: ModelInfo[] = [];
  for (const model of models) {
    const isShown = model.load?.state === "loaded" && showsSlots(model.name);
    all.push(isShown ? await addSlots(router, model, signal) : model);
  }
  return all;
}

async function addSlots(router: Pick<LlamaRouter, "slots">, model: ModelInfo, signal: AbortSignal): Promise<ModelInfo> {
  const counts = await router.slots(model.name, signal).catch(() => undefined);
  if (counts === undefined || model.load === undefined) return model;
  return { ...model, load: { ...model.load, slots: counts.all, busySlots: counts.busy } };
}

function makeRouterLoader(
  router: Pick<LlamaRouter, "changeLoad">,
  lastList: () => readonly ModelInfo[] | undefined,
  stateOf: (model: string) => ModelLoad["state"] | undefined,
  fetchList: () => Promise<Result<readonly ModelInfo[]>>,
  freshList: () => Promise<Result<readonly ModelInfo[]>>,
): ModelLoader {
  /** Requests the list until the model has left the states; false = the server does not answer any more. */
  async function listWhile(states: readonly ModelLoad["state"][], name: string, signal: AbortSignal): Promise<boolean> {
    const isIn = (): boolean => states.some((state) => state === stateOf(name));
    let list = await abortable(freshList(), signal).catch(() => null);
    while (list?.ok === true && isIn() && (await pause(listPollMs, signal)))
      list = await abortable(fetchList(), signal).catch(() => null);
    return list?.ok === true;
  }
  return {
    async needsLoad(name, _window, signal) {
      const isFirst = lastList() === undefined;
      if (!isFirst && stateOf(name) === undefined) return false;
      const limit = isFirst ? timeLimit(serverLimits.serverAnswerMs, signal) : signal;
      await abortable(fetchList(), limit).catch(() => {});
      return ["unloaded", "loading", "failed"].includes(stateOf(name) ?? "");
    },
    async load(name, _window, signal) {
      // A router that is about to unload another model may never answer: a request for an answer loads it, too.
      await router.changeLoad("load", name, timeLimit(serverLimits.serverListMs, signal)).catch(() => {});
      // A server that has ended, for lack of memory as a rule, loads nothing any more.
      return (await listWhile(["loading"], name, signal)) && stateOf(name) === "loaded";
    },
    change: (change, name, _window, signal) =>
      providerResult(async () => {
        await router.changeLoad(change, name, signal);
        // The process of a model ends after the answer.
        await listWhile(change === "unload" ? ["loaded", "sleeping"] : [], name, signal);
        return null;
      }),
  };
}
