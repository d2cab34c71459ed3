/** Joins the model servers, Ollama and the connections, for sessions, handlers and the doctor. */
import { join } from "node:path";
import type { AgentError } from "@/lib/error";
import type { SessionId } from "@/lib/id";
import type { ModelInfo, ModelServerState } from "@/lib/models";
import { connectionInstead } from "@/lib/connection-instead";
import { type ModelPatch, windowSetting } from "@/lib/model-settings";
import { namedModel } from "@/lib/named-model";
import type { Push } from "@/lib/push";
import { limits, type Settings } from "@/lib/settings";
import type { ModelState } from "@/lib/view";
import { connectionServer } from "./connection-server";
import { ollamaServer } from "./ollama-server";
import { inMode, pickModel, wantedModel } from "./model-choice";
import { queuedStream } from "./model-stream";
import { makeModelsFile, type ModelsFile } from "./features/config/models-file";
import { type Choices, makeChoices } from "./models/choices";
import { type Connections, makeConnections } from "./models/connections";
import type { Known } from "./models/known";
import type { LiveConnection } from "./models/live-connection";
import { type Models, makeModels } from "./models/models";
import { ollamaOf } from "./models/ollama-of";
import type { ModelKey, NoteKeeper } from "./models/notes";
import { type HostQueue, makeHostQueue } from "./models/queue";
import { makeServed } from "./models/served";
import { scaleOf } from "./models/token-scale";
import { makeWarmer, type Warmer } from "./models/warmer";
import { makeOllama } from "./providers/ollama";
import type { ModelRequest } from "./providers/provider";
import { chosenHost } from "./providers/ollama-host";
import type { ServerEntry } from "./server-entry";
import type { SessionServices, WantedModel } from "./session/services";
import type { Store } from "./store/open-store";

export interface ModelAccess {
  readonly models: Models;
  readonly connections: Connections;
  /** `models.yaml`. */
  readonly modelsFile: ModelsFile;
  readonly queue: HostQueue;
  /** By provider id: "ollama", and the id of each connection. */
  readonly servers: ReadonlyMap<string, ServerEntry>;
  /** The part of SessionServices that concerns models. */
  readonly sessions: Pick<
    SessionServices,
    "stream" | "chooseModel" | "whyNoModel" | "modelFacts" | "learn" | "learnCount" | "textToolMode" | "seesImages"
  >;
  /** Loads the model a session is about to use, if its server is idle and no other session runs another model on it. */
  warm(model: ModelState | string): void;
  runFirst(id: SessionId): boolean;
  /** Queries a changed Ollama address at once, and pushes a changed order of the connections. */
  settingsChanged(settings: Settings, before: Settings): void;
  close(): Promise<void>;
}

export interface ModelAccessOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  /** --model */
  readonly model: string | null;
  readonly notes: NoteKeeper;
  readonly store: Pick<Store, "connections" | "keys" | "modelChoices">;
  log(line: string): void;
  settings(): Settings;
  push(push: Push): void;
  /** Models of the current runs. */
  running(): readonly (ModelState | null)[];
}

export function makeModelAccess(options: ModelAccessOptions): ModelAccess {
  const { settings } = options;
  const served = makeServed();
  const { choices, modelsFile } = makeChosen(options, () => {
    models.completeAgain();
    for (const live of connections.live().values()) live.ollama?.completeAgain();
  });
  const { models, ollama } = makeOllamaServer(options, choices);
  const { connections, servers } = makeServers(options, choices, models, ollama);
  const queue = makeHostQueue((host) => {
    const there = [...servers.values()].filter((server) => server.host() === host);
    return there.length === 0 ? limits.queueHostMax : Math.min(...there.map((server) => server.atOnce()));
  });
  // Loads the list early, so that the first session gets the window its server reports.
  if (options.model !== null)
    void connections.ready(namedModel(options.model, [], connections.list()).connection ?? "");
  const world = { server: (id: string) => servers.get(id), queue, served };
  const sessions = sessionModels(servers, { models, connections }, options);
  const warmers = makeWarmers(queue, ({ note }) => note?.keepAliveMinutes ?? settings().keepAliveMinutes);
  return {
    models,
    connections,
    modelsFile,
    queue,
    servers,
    sessions: {
      ...sessions,
      stream: (request, signal, id) => queuedStream(world, asSet(request, servers), id, signal),
    },
    warm(model) {
      const wanted = typeof model === "string" ? sessions.chooseModel({ name: model })?.change : model;
      const { provider, model: name, numCtx } = wanted ?? {};
      const there = provider === undefined ? undefined : ollamaOf({ models, connections }, provider);
      if (there === undefined || name === undefined || numCtx === undefined) return;
      if (options.running().every((other) => other === null || other.provider !== provider || other.model === name))
        warmers.of(there).warm({ model: name, numCtx });
    },
    runFirst: (id) => queue.runFirst(id),
    settingsChanged(now, before) {
      if (now.connectionOrder.join("\n") !== before.connectionOrder.join("\n"))
        options.push({ type: "connections", connections: connections.list() });
      if (now.ollamaHost !== before.ollamaHost)
        void models.refresh(AbortSignal.timeout(limits.serverStateMs)).catch(() => {});
    },
    async close() {
      modelsFile.close();
      warmers.close();
      connections.close();
      await models.close();
    },
  };
}

/** One warmer per Ollama server; a replaced server gets a new one. */
function makeWarmers(queue: HostQueue, keepAliveMinutes: (model: ModelInfo) => number) {
  const all = new Map<Models, Warmer>();
  return {
    of(models: Models): Warmer {
      const made = all.get(models);
      if (made !== undefined) return made;
      const warmer = makeWarmer({
        memory: models,
        find: (name) => models.state().models.find((model) => model.name === name),
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
  choices: Choices,
  { known }: Models,
  ollama: ServerEntry,
) {
  const servers = new Map<string, ServerEntry>();
  const fill = (): void => {
    servers.clear();
    servers.set("ollama", ollama);
    for (const [id, live] of connections.live()) servers.set(id, serverOf(live, known));
  };
  const pushConnections = (): void => push({ type: "connections", connections: connections.list() });
  const connections: Connections = makeConnections({
    environment,
    store: store.connections,
    keys: store.keys,
    notes,
    choices,
    settings,
    log,
    onState: pushConnections,
    onChange() {
      fill();
      pushConnections();
    },
  });
  fill();
  return { connections, servers };
}

/** The user's settings for single models, and their file; pushes changes to clients. */
function makeChosen({ home, store, log, push }: ModelAccessOptions, onChange: () => void) {
  const choices = makeChoices({
    read: store.modelChoices.read,
    write: (model, patch) => modelsFile.write(model, patch),
    onChange,
  });
  const modelsFile = makeModelsFile({
    home,
    store: store.modelChoices,
    changed: choices.reload,
    checked: (problems) => push({ type: "models_file", problems }),
    log,
  });
  return { choices, modelsFile };
}

/** Applies the user's settings of the model to the request. */
function asSet(request: ModelRequest, servers: ReadonlyMap<string, ServerEntry>): ModelRequest {
  const { temperature, maxOutputTokens, keepAliveMinutes } = servers.get(request.provider)?.note(request.model) ?? {};
  return {
    ...request,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens: Math.min(request.maxOutputTokens, maxOutputTokens) }),
    ...(keepAliveMinutes === undefined ? {} : { keepAliveMinutes }),
  };
}

function serverOf(live: LiveConnection, known: Known): ServerEntry {
  const { provider, ollama: models } = live;
  if (models === undefined) return connectionServer(live, known);
  const { local, model } = live.told();
  const atOnce = local ? limits.queueHostMax : limits.queueCloudMax;
  return ollamaServer({ provider, models, model: () => model, atOnce });
}

function makeOllamaServer({ environment, home, model, notes, settings, push }: ModelAccessOptions, choices: Choices) {
  const host = (): string => chosenHost(settings().ollamaHost, environment.OLLAMA_HOST);
  const provider = makeOllama({
    host,
    isLoaded: (name, numCtx) => models.isLoaded(name, numCtx),
    temperature: () => settings().temperature,
  });
  const models: Models = makeModels({
    provider,
    host,
    environment,
    notes,
    choices,
    settingTokens: () => settings().contextMaxTokens,
    serverLog: join(home, "ollama.log"),
    onState: (state) => push({ type: "models", state }),
    onPull: (pull) => push({ type: "pull", pull }),
  });
  const ollama = ollamaServer({
    provider,
    models,
    model: () => model ?? settings().model,
    atOnce: limits.queueHostMax,
  });
  return { models, ollama };
}

/**
 * Fills in the connection if nothing is named: from --model, else from the settings, else the one that replaces an
 * unreachable Ollama.
 */
function makeWholly(
  servers: ReadonlyMap<string, ServerEntry>,
  { models: { state }, connections }: Pick<ModelAccess, "models" | "connections">,
  { model: named, settings }: Pick<ModelAccessOptions, "model" | "settings">,
): (wanted: WantedModel) => WantedModel {
  return (wanted) => {
    if (wanted.connection !== undefined || wanted.name !== "") return wanted;
    if (named === null) {
      const { connection } = settings();
      const taken = servers.has(connection)
        ? connection
        : connectionInstead(state(), settings(), connections.list())?.id;
      return taken === undefined ? wanted : { ...wanted, connection: taken };
    }
    const { connection, name } = namedModel(named, state().models, connections.list());
    return connection === undefined ? wanted : { ...wanted, connection, name };
  };
}

/** null = it answers. */
function silentServer({ status, host, openAi }: ModelServerState, connections: Connections): AgentError | null {
  if (status !== "unreachable") return null;
  const tried = [host, ...connections.list().map(({ baseUrl }) => baseUrl)];
  return {
    code: "server_unreachable",
    detail: host,
    facts: { host, tried, ...(openAi === undefined ? {} : { openAi }) },
  };
}

/** The same for a connection to Ollama; null = it answers. No other address was tried. */
function silentConnection({ status, host, error }: ModelServerState): AgentError | null {
  if (status !== "unreachable") return null;
  return error?.code === "key_refused" ? error : { code: "server_unreachable", detail: host, facts: { host } };
}

/** The model functions of sessions; none waits. */
function sessionModels(
  servers: ReadonlyMap<string, ServerEntry>,
  { models, connections }: Pick<ModelAccess, "models" | "connections">,
  { model: named, settings, log }: ModelAccessOptions,
): Omit<ModelAccess["sessions"], "stream"> {
  const knownOf = (provider: string) => servers.get(provider)?.learned ?? models.known;
  const wholly = makeWholly(servers, { models, connections }, { model: named, settings });
  const serverFor = ({ connection = "ollama" }: WantedModel): ServerEntry | undefined => servers.get(connection);
  const keyOf = ({ provider, model, digest }: ModelState): ModelKey => ({
    provider,
    name: model,
    ...(digest === undefined ? {} : { digest }),
  });
  return {
    chooseModel(asked) {
      const wanted = wholly(asked);
      const server = serverFor(wanted);
      if (server === undefined) return null;
      const model = wantedModel(server.known(), wanted.name);
      if (model !== undefined && choosesMore(wanted))
        void server.learned.remember(server.keyOf(model.name), patchOf(wanted)).then((written) => {
          if (!written.ok) log(`models.yaml: ${written.error.code}`);
        });
      return pickModel(server.known(), wanted, settings());
    },
    whyNoModel(asked) {
      const { connection } = wholly(asked);
      if (connection === undefined) return silentServer(models.state(), connections);
      const state = connections.live().get(connection)?.ollama?.state();
      return state === undefined ? null : silentConnection(state);
    },
    modelFacts(model) {
      const { provider, model: name, numCtx } = model;
      const server = servers.get(provider);
      const own = server?.known().models.find((one) => one.name === name)?.contextLength ?? numCtx;
      const allocated = server?.allocated(name, numCtx) ?? numCtx;
      const { tokenRatio = 1, tokenScale } = knownOf(provider).note(keyOf(model));
      const window = Math.min(numCtx, own, allocated);
      return { window, tokenRatio, scale: scaleOf(tokenScale ?? {}) };
    },
    learn(model, usage, counted) {
      const whole = servers.get(model.provider)?.countsWholePrompt() ?? false;
      knownOf(model.provider).learnAnswer(keyOf(model), usage, whole ? counted : null);
    },
    learnCount: (model, counted) => knownOf(model.provider).learnCount(keyOf(model), counted),
    textToolMode(model) {
      const known = knownOf(model.provider);
      const { toolMode } = known.note(keyOf(model));
      const chosen = toolMode?.by === "user" ? toolMode.mode : settings().toolCalling;
      if (chosen === "native") return null;
      known.rememberMode(keyOf(model), "react");
      return inMode(model, "react");
    },
    seesImages: (name) =>
      [...servers.values()].some((server) =>
        server.known().models.some((one) => one.name === name && one.capabilities.includes("vision")),
      ),
  };
}

const choosesMore = ({ toolMode, profile, numCtx }: WantedModel): boolean =>
  toolMode !== undefined || profile !== undefined || numCtx !== undefined;

/** Command input as a patch; a window of 0 means automatic. */
const patchOf = ({ toolMode, profile, numCtx }: Pick<WantedModel, "toolMode" | "profile" | "numCtx">): ModelPatch => ({
  ...(toolMode === undefined ? {} : { toolMode }),
  ...(profile === undefined ? {} : { profile }),
  ...(numCtx === undefined ? {} : { numCtx: windowSetting(numCtx) }),
});

/** Wraps the store of notes: an error is logged and costs only the measurement. */
export function noteKeeper({ modelNotes }: Store, log: (line: string) => void): NoteKeeper {
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      log(`model notes: ${error instanceof Error ? error.message : String(error)}`);
      return otherwise;
    }
  };
  return {
    read: () => attempt(modelNotes.read, new Map()),
    write: (key, kept) => attempt(() => modelNotes.write(key, kept), undefined),
  };
}
