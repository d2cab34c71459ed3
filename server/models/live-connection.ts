/** An active connection: its provider, its model list, and the server state for Ollama servers. */
import { fail, ok, type Result } from "@/lib/error";
import type { Connection, ModelInfo } from "@/lib/models";
import { isOllamaConnection } from "@/lib/ollama-connection";
import { limits, type Settings } from "@/lib/settings";
import { makeOllama, type OllamaProvider } from "@/server/providers/ollama";
import { checkOllama } from "@/server/providers/ollama-check";
import { makeOpenAi } from "@/server/providers/openai";
import { staysLocal } from "@/server/providers/openai-host";
import { presetOf } from "@/server/providers/presets";
import type { CheckedProvider } from "@/server/providers/provider";
import { asked } from "./asked";
import type { Choices } from "./choices";
import type { KeptConnection } from "./connection-input";
import type { FoundKey } from "./connection-keys";
import { makeModels, type Models } from "./models";
import type { NoteKeeper } from "./notes";
import { ollamaAt } from "./ollama-at";

/** An active connection. It is replaced when its settings change. */
export interface LiveConnection {
  /** Without the key. */
  told(): Connection;
  readonly provider: CheckedProvider;
  /** Last list of the server; undefined = not requested yet, or no answer. */
  listed(): readonly ModelInfo[] | undefined;
  /** Models and state of an Ollama server; absent = the server speaks the OpenAI API. */
  readonly ollama?: Models;
}

export interface Live extends LiveConnection {
  ask(): Promise<Result<readonly ModelInfo[]>>;
  /** Address of an Ollama server at this connection's address; null = none, or the connection is one. Never rejects. */
  ollamaBehind(signal: AbortSignal): Promise<string | null>;
  /** Aborts running requests; a streaming answer ends by its own signal. */
  close(): void;
}

export interface LiveOptions {
  readonly kept: KeptConnection;
  /** Read for every request, never stored. */
  readonly key: () => FoundKey;
  readonly notes: NoteKeeper;
  readonly choices: Pick<Choices, "of" | "change">;
  readonly settings: () => Pick<Settings, "contextMaxTokens" | "keepAliveMinutes">;
  /** The state of its server changed. */
  readonly onState: () => void;
}

export const makeLive = (options: LiveOptions): Live =>
  isOllamaConnection(options.kept) ? makeOllamaLive(options) : makeOpenAiLive(options);

const isLocal = ({ preset, baseUrl }: KeptConnection): boolean => staysLocal(presetOf(preset), baseUrl);

function makeOllamaLive({ kept, key, notes, choices, settings, onState }: LiveOptions): Live {
  const host = (): string => kept.baseUrl;
  const native: OllamaProvider = makeOllama({
    id: kept.id,
    host,
    apiKey: () => key().key,
    isLoaded: (name, numCtx) => models.isLoaded(name, numCtx),
    temperature: () => kept.temperature ?? null,
  });
  const models: Models = makeModels({
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
    return plan.ok ? plan.value.chosen : limits.windowMinTokens;
  };
  const { keepAliveMinutes } = settings();
  const provider: CheckedProvider = {
    ...native,
    check: (model, signal) =>
      checkOllama({ provider: native, window, keepAliveMinutes, now: () => performance.now() }, model, signal),
  };
  const local = isLocal(kept);
  return {
    told: () => ({ ...kept, key: key().told, local, server: models.state() }),
    provider,
    ollama: models,
    listed: () => (models.state().status === "ready" ? models.state().models : undefined),
    async ask() {
      const state = await models.refresh(AbortSignal.timeout(limits.serverStateMs)).catch(() => null);
      if (state === null) return fail("timeout");
      if (state.status === "ready") return ok(state.models);
      return { ok: false, error: state.error ?? { code: "server_unreachable", facts: { host: state.host } } };
    },
    ollamaBehind: () => Promise.resolve(null),
    close: () => void models.close(),
  };
}

function makeOpenAiLive({ kept, key }: LiveOptions): Live {
  const closing = new AbortController();
  const provider = makeOpenAi({
    id: kept.id,
    preset: presetOf(kept.preset),
    baseUrl: () => kept.baseUrl,
    apiKey: () => key().key,
    temperature: () => kept.temperature,
  });
  const local = isLocal(kept);
  let listed: readonly ModelInfo[] | undefined;
  let asking: Promise<Result<readonly ModelInfo[]>> | undefined;

  async function ask(): Promise<Result<readonly ModelInfo[]>> {
    const limit = AbortSignal.timeout(limits.serverListMs);
    try {
      const answer = await asked(() => provider.models(AbortSignal.any([closing.signal, limit])));
      if (answer.ok) listed = answer.value;
      return answer;
    } catch (cause) {
      if (closing.signal.aborted) return fail("aborted");
      if (limit.aborted) return fail("timeout");
      throw cause;
    } finally {
      asking = undefined;
    }
  }
  return {
    told: () => ({ ...kept, key: key().told, local }),
    provider,
    listed: () => listed,
    ask: () => (asking ??= ask()),
    ollamaBehind: (signal) =>
      presetOf(kept.preset).local ? ollamaAt(kept.baseUrl, key().key, signal) : Promise.resolve(null),
    close: () => closing.abort(),
  };
}
