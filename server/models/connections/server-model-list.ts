/** The models of an OpenAI-compatible server: its list, what the kind of server tells beyond it, and loading them. */
import { isDeepStrictEqual } from "node:util";
import { fail, ok, type Result } from "@/lib/events/error";
import type { Connection, ModelInfo } from "@/lib/models/models";
import { serverLimits } from "@/lib/settings/server-limits";
import { timeLimit } from "@/server/base/abort";
import type { OpenAiProvider } from "@/server/providers/openai/openai";
import { isOnNetwork } from "@/server/providers/openai/openai-host";
import { providerResult } from "../provider-result";
import type { ActiveConnection, ManagedConnection } from "./active-connection";
import { makeLlamaModels } from "./llama-models";
import { makeLmStudioModels } from "./lmstudio-models";
import { withVllmSlots } from "./vllm-slots";
import { makeRouterEvents } from "./router-events";

type ConnectionFacts = Pick<Connection, "answers" | "downloads" | "runsCommands">;
type ModelList = Result<readonly ModelInfo[]>;

interface ServerModelList
  extends Pick<
      ActiveConnection,
      "lastList" | "slots" | "template" | "loader" | "lastWindow" | "findWindow" | "holdsAnswers" | "countTokens"
    >,
    Pick<ManagedConnection, "fetchList" | "fetchPage"> {
  /** Requests the list: one that is under way may be from before a model was loaded. */
  freshList(): Promise<ModelList>;
  /** Resolves when the list may have changed. Never rejects. */
  nextChange(signal: AbortSignal): Promise<void>;
  state(): ConnectionFacts;
}

interface ServerModelListOptions {
  readonly provider: OpenAiProvider;
  readonly preset: string;
  readonly baseUrl: string;
  /** Prompts stay on this machine or network; a service on the internet loads nothing. */
  readonly local: boolean;
  readonly onState: () => void;
}

export function makeServerModelList(options: ServerModelListOptions, closing: AbortSignal): ServerModelList {
  const { provider, local, onState } = options;
  let listed: readonly ModelInfo[] | undefined;
  let state: ConnectionFacts = {};
  const windows = new Map<string, number>();
  /** Models without a window, after whose answer the list was requested. */
  const listedAgain = new Set<string>();
  let asking: Promise<ModelList> | undefined;

  function setState(answers: boolean, { answers: _before, ...facts }: ConnectionFacts = state): void {
    const before = state;
    state = { ...facts, ...(answers ? { answers } : {}) };
    if (!isDeepStrictEqual(before, state)) onState();
  }

  async function ask(): Promise<ModelList> {
    const limit = timeLimit(serverLimits.serverListMs);
    const signal = AbortSignal.any([closing, limit]);
    try {
      const answer = await providerResult(() => provider.models(signal));
      if (!answer.ok) {
        setState(false);
        return answer;
      }
      listed = local ? await kind.complete(answer.value, signal) : answer.value;
      setState(listed.length > 0, kind.facts?.());
      for (const { name, contextLength } of listed) if (contextLength !== undefined) windows.set(name, contextLength);
      return ok(listed);
    } catch (cause) {
      if (closing.aborted) return fail("aborted");
      setState(false);
      if (limit.aborted) return fail("timeout");
      throw cause;
    } finally {
      asking = undefined;
    }
  }
  const fetchList = (): Promise<ModelList> => (asking ??= ask());
  const freshList = async (): Promise<ModelList> => {
    await asking?.catch(() => {});
    return fetchList();
  };
  const events = makeRouterEvents(
    provider.router,
    () => {
      onState();
      void freshList().catch(() => {});
    },
    closing,
  );
  const kind = makeServerKind(options, { lastList: () => listed, fetchList, freshList, events }, closing);
  return {
    lastList: () => listed,
    fetchList,
    freshList,
    async fetchPage() {
      const list = await fetchList();
      if (!list.ok || kind.withSlots === undefined) return list;
      return ok(await kind.withSlots(list.value, timeLimit(serverLimits.serverListMs, closing)));
    },
    slots: kind.slots,
    template: kind.template,
    holdsAnswers: () => kind.holdsAnswers?.() === true,
    countTokens: makePromptCounter(options, kind),
    ...(local ? { loader: kind.loader } : {}),
    lastWindow: (name) => windows.get(name),
    async findWindow(name) {
      const model = listed?.find((one) => one.name === name);
      if (model?.contextLength !== undefined) listedAgain.delete(name);
      else if (local && model !== undefined && !listedAgain.has(name)) {
        listedAgain.add(name);
        await freshList().catch(() => {});
      }
    },
    nextChange: events.next,
    state: () => state,
  };
}

interface ListAccess extends Pick<ServerModelList, "lastList" | "fetchList" | "freshList"> {
  readonly events: ReturnType<typeof makeRouterEvents>;
}

type LlamaModels = ReturnType<typeof makeLlamaModels>;
type ServerKind = Pick<LlamaModels, "complete" | "loader"> & Partial<LlamaModels>;

/** Requests the count of a prompt where the kind of server has one. */
const makePromptCounter =
  ({ provider, preset }: ServerModelListOptions, kind: ServerKind): NonNullable<ActiveConnection["countTokens"]> =>
  async (request, mayWake, signal) => {
    if (preset === "vllm") return await provider.countTokens("vllm", request, signal);
    if (kind.isLlamaServer?.() !== true) return null;
    if (!mayWake && (await kind.isAwake?.(request.model, signal)) !== true) return null;
    return await provider.countTokens("llamacpp", request, signal);
  };

/** Reads what a server reports beyond its list. One without states or counts in its list gets no other request. */
function makeServerKind(
  { provider, preset, baseUrl, onState }: ServerModelListOptions,
  { lastList, fetchList, freshList, events }: ListAccess,
  closing: AbortSignal,
): ServerKind {
  if (preset === "lmstudio") return makeLmStudioModels(provider.lmStudio, lastList, freshList, onState, closing);
  const kind = makeLlamaModels(provider.router, lastList, fetchList, freshList, events, isOnNetwork(baseUrl));
  return preset === "vllm" ? withVllmSlots(kind, provider.metrics) : kind;
}
