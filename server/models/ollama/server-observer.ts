/** Queries the model server, caches the last state and reports changes. */
import type { ModelInfo, ModelServerState } from "@/lib/models/models";
import { serverLimits } from "@/lib/settings/server-limits";
import { timeLimit } from "@/server/base/abort";
import { oneAtATime } from "@/server/base/concurrency";
import type { OllamaProvider } from "@/server/providers/ollama/ollama";
import { parseOllamaHost, withoutCredentials } from "@/server/providers/ollama/ollama-host";
import { ProviderError } from "@/server/providers/provider";

/** Interval of queries for the server's state, ms. */
const serverPollMs = 5_000;
/** Retry interval for an unreachable address while a client shows model state, ms. */
const serverSearchMs = 1_000;

export interface ServerObserverOptions {
  readonly provider: Pick<OllamaProvider, "version" | "models" | "loaded">;
  readonly host: () => string;
  readonly onState: (state: ModelServerState) => void;
  readonly canStart: () => Promise<boolean>;
  /** Address of an OpenAI-compatible server that answers at this address; null = none. */
  readonly findOpenAi?: (host: string, signal: AbortSignal) => Promise<string | null>;
  /** Adds further facts to a model. */
  readonly complete: (model: ModelInfo) => ModelInfo;
  readonly pollMs?: number;
  readonly searchMs?: number;
}

export interface ServerObserver {
  state(): ModelServerState;
  /** One query at a time; a caller during a query gets the result of the next one. Never rejects. */
  ask(): Promise<ModelServerState>;
  /** Queries only the models in memory. Never rejects; without an answer the state stays unchanged. */
  askLoaded(): Promise<ModelServerState>;
  /** Calls `complete` again for all listed models. */
  completeAgain(): void;
  watch(): () => void;
}

/** `closing` ends queries and polling; the state stays as it was. */
export function makeServerObserver(options: ServerObserverOptions, closing: AbortSignal): ServerObserver {
  const { provider, host, onState, canStart, complete } = options;
  const { pollMs = serverPollMs, searchMs = serverSearchMs } = options;
  /** As listed by the server. */
  let listed: readonly ModelInfo[] = [];
  let state: ModelServerState = {
    status: "unknown",
    host: toDisplayHost(host()),
    models: [],
    loaded: [],
    canStart: false,
  };

  async function probe(): Promise<ModelServerState> {
    const address = toDisplayHost(host());
    const seen = await queryServer(options, closing);
    const startable = seen.status !== "ready" && (await canStart().catch(() => false));
    if (closing.aborted) return state;
    const before = address === state.host ? listed : [];
    listed = seen.models ?? before;
    return become({
      loaded: [],
      ...seen,
      models: listed.map(complete),
      host: address,
      canStart: startable,
    });
  }
  function become(found: ModelServerState): ModelServerState {
    const changed = JSON.stringify(found) !== JSON.stringify(state);
    state = found;
    if (changed) onState(state);
    return state;
  }
  async function lookLoaded(): Promise<ModelServerState> {
    const signal = timeLimit(serverLimits.serverAnswerMs, closing);
    const loaded = await provider.loaded(signal).catch(() => null);
    return loaded === null || closing.aborted || state.status !== "ready" ? state : become({ ...state, loaded });
  }

  const ask = oneAtATime(probe);
  const everyMs = (): number => (state.status === "ready" ? pollMs : searchMs);
  return {
    state: () => state,
    ask,
    askLoaded: oneAtATime(lookLoaded),
    completeAgain: () => void become({ ...state, models: listed.map(complete) }),
    watch: makePolling(ask, everyMs, closing),
  };
}

/** Polls from the first watch until every returned function has been called. */
function makePolling(ask: () => Promise<unknown>, everyMs: () => number, closing: AbortSignal): () => () => void {
  let watchers = 0;
  let timer: NodeJS.Timeout | undefined;
  async function poll(): Promise<void> {
    // A failed query does not end the polling.
    await ask().catch(() => {});
    clearTimeout(timer);
    if (watchers === 0 || closing.aborted) return;
    timer = setTimeout(() => void poll(), everyMs());
    timer.unref();
  }
  closing.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return () => {
    watchers += 1;
    if (watchers === 1) void poll();
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      watchers -= 1;
      if (watchers === 0) clearTimeout(timer);
    };
  };
}

type ServerQueryResult = Pick<ModelServerState, "status"> & Partial<ModelServerState>;

/** Queries the server once. The version must arrive quickly; lists of many models may take longer. */
async function queryServer(
  { provider, host, findOpenAi }: Pick<ServerObserverOptions, "provider" | "host" | "findOpenAi">,
  closing: AbortSignal,
): Promise<ServerQueryResult> {
  const within = (ms: number): AbortSignal => timeLimit(ms, closing);
  try {
    const version = await provider.version(within(serverLimits.serverAnswerMs));
    const signal = within(serverLimits.serverListMs);
    const [models, loaded] = await Promise.all([provider.models(signal), provider.loaded(signal)]);
    return { status: "ready", version, models, loaded };
  } catch (cause) {
    const silent = { code: "server_unreachable", detail: "no answer in time" } as const;
    const error = cause instanceof ProviderError ? cause.error : silent;
    const isThere = error.code !== "server_unreachable" && error.code !== "connection_lost";
    const openAi = isThere ? await findOpenAi?.(host(), within(serverLimits.serverAnswerMs)).catch(() => null) : null;
    return { status: "unreachable", error, ...(openAi ? { openAi } : {}) };
  }
}

const toDisplayHost = (text: string): string => {
  const host = parseOllamaHost(text);
  return host.ok ? withoutCredentials(host.value) : text;
};
