/** Joins the model servers, Ollama and the connections, for sessions, handlers and the doctor. */
import { serverLimits } from "@/lib/settings/server-limits";
import { join } from "node:path";
import type { AgentError, Result } from "@/lib/events/error";
import type { SessionId } from "@/lib/events/id";
import type { ModelInfo, ModelServerState } from "@/lib/models/models";
import { defaultConnection } from "@/lib/models/default-connection";
import { sentSessionHeader } from "@/lib/models/connection-routing";
import { isSameModelName } from "@/lib/models/model-names";
import { type ModelPatch, toWindowSetting } from "@/lib/settings/model-settings";
import { ollamaPreset } from "@/lib/models/ollama-connection";
import { parseModelName } from "@/lib/models/parse-model-name";
import type { Push } from "@/lib/protocol/push";
import type { Settings } from "@/lib/settings/settings";
import type { ModelState } from "@/lib/view/view";
import { connectionServerEntry } from "./connection-server-entry";
import { ollamaServerEntry } from "./ollama-server-entry";
import { type PromptComposer, resolveModel, resolveModelChoice, withToolMode } from "../choice/model-choice";
import { readyModel } from "../queue/ready-model";
import { cacheUse, queuedStream, type MessageTokenCounter } from "../queue/model-stream";
import { type UserModelSettings, makeUserModelSettings } from "../notes/user-model-settings";
import { type Connections, makeConnections } from "../connections/connections";
import type { ModelKnowledge } from "../notes/model-knowledge";
import type { ActiveConnection } from "../connections/active-connection";
import { type OllamaService, makeOllamaService } from "../ollama/ollama-service";
import { findOllama } from "../ollama/find-ollama";
import type { ModelKey, NoteStorage } from "../notes/model-note-cache";
import { type HostQueue, makeHostQueue } from "../queue/host-queue";
import { makePrefixCacheTracker } from "../queue/prefix-cache-tracker";
import { toTokenScales } from "../notes/token-scale";
import { makeWarmer, type Warmer } from "../ollama/warmer";
import { timeLimit } from "@/server/base/abort";
import { makeOllama } from "@/server/providers/ollama/ollama";
import { chosenHost } from "@/server/providers/ollama/ollama-host";
import { staysLocal } from "@/server/providers/openai/openai-host";
import { findPreset } from "@/server/providers/presets";
import { sessionKey } from "../queue/session-key";
import type { ModelServerEntry } from "./model-server-entry";
import { replacementLister } from "./replacement-lister";
import type { SessionModels, WantedModel } from "./session-models";
import type { Store } from "@/server/store/open-store";

export interface ModelAccess {
  readonly models: OllamaService;
  readonly connections: Connections;
  readonly queue: HostQueue;
  /** By provider id: "ollama", and the id of each connection. */
  readonly servers: ReadonlyMap<string, ModelServerEntry>;
  readonly sessionModels: SessionModels;
  /**
   * Loads the model list before a model is chosen; queries a server only when its state or its models' shapes are
   * unknown. `connection` = source of the model, "" = Ollama; absent = the one for new sessions.
   */
  ensureListed(connection?: string): Promise<void>;
  /** Loads the model a session is about to use, if its server is idle and no other session runs another model on it. */
  warm(model: ModelState | string): void;
  runFirst(id: SessionId): boolean;
  /** To be called when the stored settings of single models may have changed. */
  modelSettingsChanged(): void;
  /** Queries a changed Ollama address at once, and pushes a changed order of the connections. */
  settingsChanged(settings: Settings, before: Settings): void;
  close(): Promise<void>;
}

export interface ModelAccessOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  /** --model */
  readonly model: string | null;
  readonly notes: NoteStorage;
  readonly store: Pick<Store, "connections" | "secrets" | "modelSettings">;
  log(line: string): void;
  settings(): Settings;
  push(push: Push): void;
  /** Writes settings of one model; they are read from the store. */
  saveModelSettings(model: string, patch: ModelPatch): Promise<Result<null>>;
  readonly composePrompt: PromptComposer;
  readonly countTokens: MessageTokenCounter;
  /** Whether the requests of a session wait for those of others; default: none do. */
  isBackground?(sessionId: string): boolean;
  /** Models of the current runs. */
  running(): readonly (ModelState | null)[];
}

export function makeModelAccess(options: ModelAccessOptions): ModelAccess {
  const { settings } = options;
  const prefixCache = makePrefixCacheTracker();
  const completeAgain = (): void => {
    models.completeAgain();
    for (const live of connections.live().values()) live.ollama?.completeAgain();
  };
  const choices = makeModelSettings(options, completeAgain);
  const { models, ollama } = makeOllamaServer(options, choices, (state) => {
    options.push({ type: "models", state });
    if (state.status === "unreachable") void listReplacement();
  });
  const { connections, servers } = makeServers(options, choices, models, ollama);
  const listReplacement = replacementLister({ models, connections }, settings);
  const queue = makeHostQueue((host) => {
    const sameHost = [...servers.values()].filter((server) => server.host() === host);
    const chosen = sameHost.flatMap(({ chosenAtOnce = [] }) => chosenAtOnce);
    const all = chosen.length > 0 ? chosen : sameHost.map((server) => server.atOnce());
    return all.length === 0 ? serverLimits.queueHostMax : Math.min(...all);
  }, options.isBackground);
  // Loads the list early, so that the first session gets the window its server reports.
  if (options.model !== null)
    void connections.ready(parseModelName(options.model, [], connections.list()).connection ?? "");
  const streaming = {
    server: (id: string) => servers.get(id),
    queue,
    prefixCache,
    countTokens: options.countTokens,
    maxOutputTokens: () => settings().maxOutputTokens,
  };
  const sessions = makeSessionModels(servers, { models, connections }, options);
  const warmers = makeWarmers(queue, ({ note }) => note?.keepAliveMinutes ?? settings().keepAliveMinutes);
  return {
    models,
    connections,
    queue,
    servers,
    sessionModels: {
      ...sessions,
      stream: queuedStream.bind(null, streaming),
      cacheUse: cacheUse.bind(null, streaming),
      readyModel: readyModel.bind(null, streaming),
    },
    async ensureListed(connection = settings().connection) {
      if (connections.live().has(connection)) return connections.ready(connection);
      if (models.state().status === "unknown")
        await models.refresh(timeLimit(serverLimits.serverAnswerMs)).catch(() => {});
      if (await listReplacement()) return;
      await models.shapesReady(timeLimit(serverLimits.modelShapeWaitMs));
    },
    warm(model) {
      const wanted = typeof model === "string" ? sessions.chooseModel({ name: model })?.change : model;
      const { provider, model: name, numCtx } = wanted ?? {};
      const there = provider === undefined ? undefined : findOllama({ models, connections }, provider);
      if (there === undefined || name === undefined || numCtx === undefined) return;
      const isOther = (other: ModelState): boolean =>
        other.provider === provider && !isSameModelName(other.model, name);
      if (!options.running().some((other) => other !== null && isOther(other)))
        warmers.of(there).warm({ model: name, numCtx });
    },
    runFirst: (id) => queue.runFirst(id),
    modelSettingsChanged: choices.reload,
    settingsChanged(now, before) {
      if (now.contextMaxTokens !== before.contextMaxTokens) completeAgain();
      if (now.connectionOrder.join("\n") !== before.connectionOrder.join("\n"))
        options.push({ type: "connections", connections: connections.list() });
      if (now.ollamaHost !== before.ollamaHost)
        void models.refresh(timeLimit(serverLimits.serverStateMs)).catch(() => {});
    },
    async close() {
      warmers.close();
      connections.close();
      await models.close();
    },
  };
}

/** One warmer per Ollama server; a replaced server gets a new one. */
function makeWarmers(queue: HostQueue, keepAliveMinutes: (model: ModelInfo) => number) {
  const all = new Map<OllamaService, Warmer>();
  return {
    of(models: OllamaService): Warmer {
      const existing = all.get(models);
      if (existing !== undefined) return existing;
      const warmer = makeWarmer({
        memory: models,
        find: (name) => models.state().models.find((model) => isSameModelName(model.name, name)),
        isFree: () => !queue.isBusy(models.state().host),
        keepAliveMinutes,
      });
      all.set(models, warmer);
      return warmer;
    },
    close(): void {
      for (const warmer of all.values()) warmer.close();
    },
  };
}

/** Ollama and the active connections by provider id; a changed connection is a new server for the next request. */
function makeServers(
  { environment, store, notes, settings, push, log }: ModelAccessOptions,
  choices: UserModelSettings,
  { known }: OllamaService,
  ollama: ModelServerEntry,
) {
  const servers = new Map<string, ModelServerEntry>();
  const fill = (): void => {
    servers.clear();
    servers.set("ollama", ollama);
    for (const [id, live] of connections.live()) servers.set(id, toServerEntry(live, known));
  };
  const pushConnections = (): void => push({ type: "connections", connections: connections.list() });
  const connections: Connections = makeConnections({
    environment,
    store: store.connections,
    keys: store.secrets.in("connections"),
    notes,
    choices,
    settings,
    log,
    onState: pushConnections,
    onPull: (pull) => push({ type: "pull", pull }),
    onChange() {
      fill();
      pushConnections();
    },
  });
  fill();
  return { connections, servers };
}

/** The user's settings for single models. */
const makeModelSettings = ({ store, saveModelSettings }: ModelAccessOptions, onChange: () => void): UserModelSettings =>
  makeUserModelSettings({ read: store.modelSettings.read, write: saveModelSettings, onChange });

function toServerEntry(live: ActiveConnection, knowledge: ModelKnowledge): ModelServerEntry {
  const { provider, ollama: models } = live;
  if (models === undefined) return connectionServerEntry(live, knowledge);
  const { local, model, atOnce: chosenAtOnce } = live.toConnection();
  const atOnce = local ? serverLimits.queueHostMax : serverLimits.queueCloudMax;
  return ollamaServerEntry({ provider, models, model: () => model, atOnce, chosenAtOnce });
}

function makeOllamaServer(
  { environment, home, model, notes, settings, push }: ModelAccessOptions,
  choices: UserModelSettings,
  onState: (state: ModelServerState) => void,
) {
  const host = (): string => chosenHost(settings().ollamaHost, environment.OLLAMA_HOST);
  const provider = makeOllama({
    host,
    sessionHeader: () => sentSessionHeader({ local: staysLocal(findPreset(ollamaPreset), host()) }),
    isLoaded: (name, numCtx) => models.isLoaded(name, numCtx),
    temperature: () => settings().temperature,
  });
  const models: OllamaService = makeOllamaService({
    provider,
    host,
    environment,
    notes,
    choices,
    settingTokens: () => settings().contextMaxTokens,
    serverLog: join(home, "ollama.log"),
    onState,
    onPull: (pull) => push({ type: "pull", pull }),
  });
  const ollama = ollamaServerEntry({
    provider,
    models,
    model: () => model ?? settings().model,
    atOnce: serverLimits.queueHostMax,
  });
  return { models, ollama };
}

/**
 * Fills in the connection if nothing is named: from --model, else from the settings, else the one that replaces an
 * unreachable Ollama.
 */
function makeConnectionResolver(
  servers: ReadonlyMap<string, ModelServerEntry>,
  { models: { state }, connections }: Pick<ModelAccess, "models" | "connections">,
  { model: named, settings }: Pick<ModelAccessOptions, "model" | "settings">,
): (wanted: WantedModel) => WantedModel {
  return (wanted) => {
    if (wanted.connection !== undefined || wanted.name !== "") return wanted;
    if (named === null) {
      const { connection } = settings();
      const reference = servers.has(connection)
        ? connection
        : defaultConnection(state(), settings(), connections.list())?.id;
      return reference === undefined ? wanted : { ...wanted, connection: reference };
    }
    const { connection, name } = parseModelName(named, state().models, connections.list());
    return connection === undefined ? wanted : { ...wanted, connection, name };
  };
}

/** null = it answers. */
function unreachableServerError(
  { status, host, openAi }: ModelServerState,
  connections: Connections,
): AgentError | null {
  if (status !== "unreachable") return null;
  const tried = [host, ...connections.list().flatMap(({ baseUrl, local }) => (local ? [baseUrl] : []))];
  const online = connections.list().flatMap(({ id, local }) => (local ? [] : [id]));
  return {
    code: "server_unreachable",
    detail: host,
    facts: { host, tried, ...(online.length === 0 ? {} : { online }), ...(openAi === undefined ? {} : { openAi }) },
  };
}

/** The same for a connection to Ollama; null = it answers. No other address was tried. */
function unreachableConnectionError({ status, host, error }: ModelServerState): AgentError | null {
  if (status !== "unreachable") return null;
  return error?.code === "key_refused" ? error : { code: "server_unreachable", detail: host, facts: { host } };
}

/** The model functions of sessions; none waits. */
function makeSessionModels(
  servers: ReadonlyMap<string, ModelServerEntry>,
  { models, connections }: Pick<ModelAccess, "models" | "connections">,
  { model: named, settings, composePrompt, log }: ModelAccessOptions,
): Omit<SessionModels, "stream" | "readyModel" | "cacheUse"> {
  const knownOf = (provider: string) => servers.get(provider)?.knowledge ?? models.known;
  const wholly = makeConnectionResolver(servers, { models, connections }, { model: named, settings });
  const serverFor = ({ connection = "ollama" }: WantedModel): ModelServerEntry | undefined => servers.get(connection);
  const keyOf = ({ provider, model, digest }: Omit<ModelState, "prompt">): ModelKey => ({
    provider,
    name: model,
    digest,
  });
  return {
    chooseModel(requested) {
      const wanted = wholly(requested);
      const server = serverFor(wanted);
      if (server === undefined) return null;
      const model = resolveModel(server.facts(), wanted.name);
      if (model !== undefined && hasSettings(wanted))
        void server.knowledge.saveUserSettings(server.keyOf(model.name), toModelPatch(wanted)).then((written) => {
          if (!written.ok) log(`models.yaml: ${written.error.code}`);
        });
      return resolveModelChoice(server.facts(), wanted, settings(), composePrompt);
    },
    noModelError(requested) {
      const { connection } = wholly(requested);
      if (connection === undefined) return unreachableServerError(models.state(), connections);
      const state = connections.live().get(connection)?.ollama?.state();
      return state === undefined ? null : unreachableConnectionError(state);
    },
    modelFacts(model) {
      const { provider, model: name, numCtx } = model;
      const server = servers.get(provider);
      const own = server?.facts().models.find((one) => isSameModelName(one.name, name))?.contextLength ?? numCtx;
      const allocated = server?.allocated(name, numCtx) ?? numCtx;
      const { tokenRatio = 1, tokenScale, lateSplit } = knownOf(provider).note(keyOf(model));
      const window = Math.min(numCtx, own, allocated);
      const isServers = server?.choosesWindow === true;
      return {
        window,
        tokenRatio,
        scale: toTokenScales(tokenScale ?? {}),
        ...(lateSplit === undefined ? {} : { lateSplit }),
        ...(isServers ? { isServers } : {}),
        ...(server?.holdsAnswers?.() === true ? { holdsAnswers: true } : {}),
      };
    },
    learn(model, usage, counted) {
      const whole = servers.get(model.provider)?.countsWholePrompt() ?? false;
      knownOf(model.provider).learnAnswer(keyOf(model), usage, whole ? counted : null);
    },
    learnCount: (model, counted) => knownOf(model.provider).learnCount(keyOf(model), counted),
    textToolMode(model, projectId, scope) {
      const knowledge = knownOf(model.provider);
      const { toolMode } = knowledge.note(keyOf(model));
      const chosen = toolMode?.by === "user" ? toolMode.mode : settings().toolCalling;
      if (chosen === "native") return null;
      if (scope === "model") knowledge.saveToolMode(keyOf(model), "react");
      return withToolMode(model, "react", composePrompt, projectId);
    },
    saveHistoryUse: (model, use) => knownOf(model.provider).saveHistoryUse(keyOf(model), use),
    saveLateSplit: (model, split) => knownOf(model.provider).saveLateSplit(keyOf(model), split),
    endHeldAnswer: async (provider, id, sessionId) =>
      await servers.get(provider)?.endHeldAnswer?.(id, sessionKey(sessionId)),
    async countTokens(request, mayWake, signal, sessionId) {
      const own = { ...request, session: sessionKey(sessionId) };
      return (await servers.get(request.provider)?.countTokens?.(own, mayWake, signal)) ?? null;
    },
    seesImages: (model) =>
      model !== null &&
      servers
        .get(model.provider)
        ?.facts()
        .models.some((one) => isSameModelName(one.name, model.model) && one.capabilities.includes("vision")) === true,
  };
}

const hasSettings = ({ toolMode, profile, numCtx }: WantedModel): boolean =>
  toolMode !== undefined || profile !== undefined || numCtx !== undefined;

/** Command input as a patch; a window of 0 means automatic. */
const toModelPatch = ({
  toolMode,
  profile,
  numCtx,
}: Pick<WantedModel, "toolMode" | "profile" | "numCtx">): ModelPatch => ({
  ...(toolMode === undefined ? {} : { toolMode }),
  ...(profile === undefined ? {} : { profile }),
  ...(numCtx === undefined ? {} : { numCtx: toWindowSetting(numCtx) }),
});
