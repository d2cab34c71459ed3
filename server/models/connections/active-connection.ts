/** An active connection: its provider, its model list, and the server state for Ollama servers. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { HistoryUse } from "@/lib/events/event";
import type { Connection, ModelInfo, PullState } from "@/lib/models/models";
import { sentSessionHeader } from "@/lib/models/connection-routing";
import { isOllamaConnection } from "@/lib/models/ollama-connection";
import { serverLimits } from "@/lib/settings/server-limits";
import type { Settings } from "@/lib/settings/settings";
import { timeLimit } from "@/server/base/abort";
import { makeOllama, type OllamaProvider } from "@/server/providers/ollama/ollama";
import { checkOllama } from "@/server/providers/ollama/ollama-check";
import { makeOpenAi } from "@/server/providers/openai/openai";
import { staysLocal } from "@/server/providers/openai/openai-host";
import { findPreset } from "@/server/providers/presets";
import type { CheckedProvider, ModelRequest } from "@/server/providers/provider";
import type { KeySource } from "@/server/providers/wire/sent-key";
import type { UserModelSettings } from "../notes/user-model-settings";
import type { ConnectionConfig } from "./connection-config";
import type { ResolvedKey } from "./connection-keys";
import { makeServerModelList } from "./server-model-list";
import type { ModelLoader } from "./llama-models";
import { makeRouterStore, type ModelStore } from "./router-downloads";
import { makeOllamaService, type OllamaService } from "../ollama/ollama-service";
import type { NoteStorage } from "../notes/model-note-cache";

/**
 * Detects an Ollama server at the address of a connection of another kind. Returns the address for a connection to
 * Ollama; null = no Ollama answers there. Never rejects. `key` is the source of this server's key.
 */
async function detectOllama(baseUrl: string, key: KeySource, signal: AbortSignal): Promise<string | null> {
  const host = baseUrl.replace(/\/v1$/, "");
  const provider = makeOllama({ host: () => host, ...key });
  try {
    const version = await provider.version(signal);
    await provider.models(signal);
    // Other servers imitate single paths of Ollama but have no version.
    return /^v?\d/.test(version) ? host : null;
  } catch {
    return null;
  }
}

/** An active connection. It is replaced when its settings change. */
export interface ActiveConnection {
  /** Without the key. */
  toConnection(): Connection;
  readonly provider: CheckedProvider;
  /** Last list of the server; undefined = not requested yet, or no answer. */
  lastList(): readonly ModelInfo[] | undefined;
  /** Conversations that its server says it works on at once; absent = it does not say. */
  slots?(): number | undefined;
  /** Whether its server can hold answers; absent = it cannot. */
  holdsAnswers?(): boolean;
  /** Ends an answer that its server may hold. Never rejects. */
  endHeldAnswer?(id: string, session: string): Promise<void>;
  /**
   * Tokens of the whole prompt of a request, by its server's count; null = it does not count it now. Without `mayWake` only
   * for a model in memory. Never rejects; absent = it cannot count.
   */
  countTokens?(request: ModelRequest, mayWake: boolean, signal: AbortSignal): Promise<number | null>;
  /** Returns the form of earlier answers that the chat template of a model shows; undefined = it is not known. */
  template?(model: string): HistoryUse | undefined;
  /** Absent = its server loads what it has, or nothing. */
  readonly loader?: ModelLoader;
  /** Window of a model when it was last listed with one, tokens. */
  lastWindow?(model: string): number | undefined;
  /** Requests the list again, once, if it lacks the window of a model that has answered. Never rejects. */
  findWindow?(model: string): Promise<void>;
  /** A model that is not in the list cannot be requested; other servers may have more than they list. */
  readonly hasWholeList?: boolean;
  /** Its server downloads and deletes models; absent = it does not. */
  readonly store?: ModelStore;
  /** Models and state of an Ollama server; absent = the server speaks the OpenAI API. */
  readonly ollama?: OllamaService;
  /** Memory of the machine, if its server runs on this one and allocates the window that a request asks for, bytes. */
  readonly memoryBytes?: number;
}

export interface ManagedConnection extends ActiveConnection {
  fetchList(): Promise<Result<readonly ModelInfo[]>>;
  /** The same with facts that only a page shows; absent = there are none. */
  fetchPage?(): Promise<Result<readonly ModelInfo[]>>;
  /** Address of an Ollama server at this connection's address; null = none, or the connection is one. Never rejects. */
  detectOllama(signal: AbortSignal): Promise<string | null>;
  /** Aborts running requests; a streaming answer ends by its own signal. */
  close(): void;
}

interface ActiveConnectionOptions {
  readonly kept: ConnectionConfig;
  /** Read for every request, never stored. */
  readonly key: () => ResolvedKey;
  readonly notes: NoteStorage;
  readonly choices: Pick<UserModelSettings, "of" | "change">;
  readonly settings: () => Pick<Settings, "contextMaxTokens" | "keepAliveMinutes">;
  /** The state of its server changed. */
  readonly onState: () => void;
  readonly onPull: (pull: PullState) => void;
}

export const makeActiveConnection = (options: ActiveConnectionOptions): ManagedConnection =>
  isOllamaConnection(options.kept) ? makeOllamaConnection(options) : makeOpenAiConnection(options);

const isLocal = ({ preset, baseUrl }: ConnectionConfig): boolean => staysLocal(findPreset(preset), baseUrl);

const keySource = ({ keyUse }: ConnectionConfig, key: ActiveConnectionOptions["key"]): KeySource => ({
  apiKey: () => key().key,
  keyUse,
  keyProblem: () => key().problem ?? null,
});

function makeOllamaConnection({
  kept,
  key,
  notes,
  choices,
  settings,
  onState,
}: ActiveConnectionOptions): ManagedConnection {
  const host = (): string => kept.baseUrl;
  const local = isLocal(kept);
  const native: OllamaProvider = makeOllama({
    id: kept.id,
    host,
    ...keySource(kept, key),
    sessionHeader: () => sentSessionHeader({ ...kept, local }),
    isLoaded: (name, numCtx) => models.isLoaded(name, numCtx),
    temperature: () => kept.temperature ?? null,
  });
  const models: OllamaService = makeOllamaService({
    provider: native,
    host,
    notes,
    choices,
    settingTokens: () => (kept.numCtx > 0 ? kept.numCtx : settings().contextMaxTokens),
    onState,
    onPull: () => {},
    // Only the server of the settings can be started from here.
    environment: {},
    serverLog: "",
  });
  const window = async (name: string, signal: AbortSignal): Promise<number> => {
    const plan = await models.window(name, signal);
    return plan.ok ? plan.value.chosen : serverLimits.windowMinTokens;
  };
  const { keepAliveMinutes } = settings();
  const provider: CheckedProvider = {
    ...native,
    check: (model, signal) =>
      checkOllama({ provider: native, window, keepAliveMinutes, now: () => performance.now() }, model, signal),
  };
  return {
    toConnection: () => ({
      ...kept,
      key: key().source,
      local,
      ...answersIf(models.state().status === "ready" && models.state().models.length > 0),
      server: models.state(),
    }),
    provider,
    ollama: models,
    lastList: () => (models.state().status === "ready" ? models.state().models : undefined),
    async fetchList() {
      const state = await models.refresh(timeLimit(serverLimits.serverStateMs)).catch(() => null);
      if (state === null) return fail("timeout");
      if (state.status === "ready") return ok(state.models);
      return { ok: false, error: state.error ?? { code: "server_unreachable", facts: { host: state.host } } };
    },
    detectOllama: () => Promise.resolve(null),
    close: () => void models.close(),
  };
}

const answersIf = (answers: boolean): Pick<Connection, "answers"> => (answers ? { answers } : {});

function makeOpenAiConnection({ kept, key, onState, onPull }: ActiveConnectionOptions): ManagedConnection {
  const closing = new AbortController();
  const local = isLocal(kept);
  const provider = makeOpenAi({
    id: kept.id,
    preset: findPreset(kept.preset),
    baseUrl: () => kept.baseUrl,
    ...keySource(kept, key),
    sessionHeader: sentSessionHeader({ ...kept, local }),
    temperature: () => kept.temperature,
  });
  const { freshList, nextChange, state, ...listed } = makeServerModelList(
    { provider, preset: kept.preset, baseUrl: kept.baseUrl, local, onState },
    closing.signal,
  );
  const { close: stopDownloads, ...store } = makeRouterStore({
    router: provider.router,
    connection: kept.id,
    freshList,
    fetchList: listed.fetchList,
    next: nextChange,
    onPull,
    onDone: onState,
  });
  return {
    ...listed,
    toConnection: () => ({ ...kept, key: key().source, local, ...state() }),
    provider,
    endHeldAnswer: (id, session) =>
      provider.router.endHeldAnswer(id, session, timeLimit(serverLimits.heldAnswerEndMs)).catch(() => {}),
    ...(local ? { store } : {}),
    detectOllama: (signal) =>
      findPreset(kept.preset).local ? detectOllama(kept.baseUrl, keySource(kept, key), signal) : Promise.resolve(null),
    close() {
      closing.abort();
      void stopDownloads();
    },
  };
}
