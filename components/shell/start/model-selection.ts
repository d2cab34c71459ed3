/** Model and connection of a new session, and the share of the context window in use. Pure. */
import { iterateBackward } from "@/lib/view/chunks";
import { defaultConnection } from "@/lib/models/default-connection";
import type { ContextReport } from "@/lib/protocol/answers";
import type { Connection, LoadedModel, ModelServerState } from "@/lib/models/models";
import { preferredModels, type Settings } from "@/lib/settings/settings";
import { countAnswerTokens } from "@/lib/text/answer-tokens";
import type { ModelState, SessionView } from "@/lib/view/view";

const supportsChat = (capabilities: readonly string[]): boolean =>
  capabilities.length === 0 || capabilities.includes("completion");

/**
 * Returns the model named in the settings, else the first installed preferred model, else the first installed one; "" =
 * none.
 */
export function ollamaModelForNewSession(settings: Settings | undefined, server: ModelServerState | undefined): string {
  const installed = (server?.models ?? [])
    .filter((model) => supportsChat(model.capabilities))
    .map((model) => model.name);
  if (settings !== undefined && settings.model !== "") return settings.model;
  return preferredModels.find((name) => installed.includes(name)) ?? installed[0] ?? "";
}

/** `connection` null = Ollama. */
export interface ModelSelection {
  readonly model: string;
  readonly connection: string | null;
}

/** Converts a choice to command fields: omits `connection` for Ollama. */
export const toModelFields = ({
  model,
  connection,
}: ModelSelection): { readonly model: string; readonly connection?: string } => ({
  model,
  ...(connection === null ? {} : { connection }),
});

/** The user's selection for a new session; `model` null = nothing selected yet. */
export interface DraftModelSelection {
  readonly model: string | null;
  readonly connection: string | null;
}

/**
 * Returns the model of a new session: the user's selection, else the settings' connection with its model, else an
 * Ollama model.
 */
export function modelForNewSession(
  draft: DraftModelSelection,
  settings: Settings | undefined,
  server: ModelServerState | undefined,
  connections: readonly Connection[],
): ModelSelection {
  if (draft.model !== null) return { model: draft.model, connection: draft.connection };
  const instead =
    settings === undefined || server === undefined ? undefined : defaultConnection(server, settings, connections);
  const connection = connections.find((one) => one.id === settings?.connection) ?? instead;
  return connection === undefined
    ? { model: ollamaModelForNewSession(settings, server), connection: null }
    : { model: connection.model, connection: connection.id };
}

/** Returns the models that support chat completion. */
export const chatModels = (server: ModelServerState | undefined): ModelServerState["models"] =>
  (server?.models ?? []).filter((model) => supportsChat(model.capabilities));

/** Returns model and connection of a session; `provider` is "ollama" or a connection id. */
export const toModelSelection = (state: ModelState | null): ModelSelection =>
  state === null
    ? { model: "", connection: null }
    : { model: state.model, connection: state.provider === "ollama" ? null : state.provider };

/** Returns the state of the Ollama server a choice uses; undefined = not an Ollama server, or not loaded yet. */
export const findOllamaState = (
  { connection }: Pick<ModelSelection, "connection">,
  server: ModelServerState | undefined,
  connections: readonly Connection[],
): ModelServerState | undefined =>
  connection === null ? server : connections.find(({ id }) => id === connection)?.server;

export const findLoadedModel = (server: ModelServerState | undefined, name: string): LoadedModel | null =>
  server?.loaded.find((one) => one.name === name) ?? null;

export interface ContextWindowUse {
  /** 0 to 1; null before the first answer. */
  readonly share: number | null;
  /** Requested, allocated and trained window size in tokens; the smallest is in force. */
  readonly window: ContextReport["window"];
}

export function contextWindowUse(
  view: Pick<SessionView, "model" | "usage" | "entries">,
  server: ModelServerState | undefined,
): ContextWindowUse | null {
  if (view.model === null || view.model.numCtx <= 0) return null;
  const { model, numCtx: asked } = view.model;
  const allocated = findLoadedModel(server, model)?.contextLength;
  const own = server?.models.find((one) => one.name === model)?.contextLength;
  const inForce = Math.min(asked, own ?? asked, allocated ?? asked);
  const used = tokensInUse(view);
  return {
    share: used === null ? null : Math.min(1, used / inForce),
    window: {
      inForce,
      asked,
      ...(allocated === undefined ? {} : { allocated }),
      ...(own === undefined ? {} : { own }),
    },
  };
}

/**
 * Returns the number of tokens the next prompt begins with, from the newest answer or a later compaction; null before
 * the first answer.
 */
function tokensInUse({ usage, entries }: Pick<SessionView, "usage" | "entries">): number | null {
  for (const entry of iterateBackward(entries)) {
    if (entry.kind === "message" && entry.usage !== undefined) {
      const { promptTokens, estimatedPromptTokens } = entry.usage;
      // Zero counts: a server stopped during its answer reports none.
      return (promptTokens || estimatedPromptTokens) + countAnswerTokens(entry.blocks, entry.usage);
    }
    if (entry.kind === "compaction" && entry.state === "done" && entry.tokensAfter !== undefined)
      return entry.tokensAfter;
  }
  return usage === null ? null : (usage.promptTokens || usage.estimatedPromptTokens) + usage.outputTokens;
}
