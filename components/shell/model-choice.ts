/** Which model a new session gets, where it answers from, and how much of its window is in use. Pure. */
import { eachBack } from "@/lib/chunks";
import { connectionInstead } from "@/lib/connection-instead";
import type { ContextReport } from "@/lib/answers";
import type { Connection, LoadedModel, ModelServerState } from "@/lib/models";
import { preferredModels, type Settings } from "@/lib/settings";
import { answerTokens } from "@/lib/text/answer-tokens";
import type { ModelState, SessionView } from "@/lib/view";

const canTalk = (capabilities: readonly string[]): boolean =>
  capabilities.length === 0 || capabilities.includes("completion");

/** The one the settings name, else the first installed of the preferred ones, else the first installed; "" = none. */
export function modelForNew(settings: Settings | undefined, server: ModelServerState | undefined): string {
  const installed = (server?.models ?? []).filter((model) => canTalk(model.capabilities)).map((model) => model.name);
  if (settings !== undefined && settings.model !== "") return settings.model;
  return preferredModels.find((name) => installed.includes(name)) ?? installed[0] ?? "";
}

/** `connection` null = Ollama. */
export interface ModelChoice {
  readonly model: string;
  readonly connection: string | null;
}

/** As the commands take it. */
export const modelOf = ({
  model,
  connection,
}: ModelChoice): { readonly model: string; readonly connection?: string } => ({
  model,
  ...(connection === null ? {} : { connection }),
});

/** What the user picked for the session to come; no model = nothing yet. */
export interface DraftChoice {
  readonly model: string | null;
  readonly connection: string | null;
}

/** What a new session begins with: what was picked, else the connection of the settings with its own model, else a model of Ollama. */
export function choiceForNew(
  draft: DraftChoice,
  settings: Settings | undefined,
  server: ModelServerState | undefined,
  connections: readonly Connection[],
): ModelChoice {
  if (draft.model !== null) return { model: draft.model, connection: draft.connection };
  const instead =
    settings === undefined || server === undefined ? undefined : connectionInstead(server, settings, connections);
  const connection = connections.find((one) => one.id === settings?.connection) ?? instead;
  return connection === undefined
    ? { model: modelForNew(settings, server), connection: null }
    : { model: connection.model, connection: connection.id };
}

/** Models that answer in a conversation. */
export const talkingModels = (server: ModelServerState | undefined): ModelServerState["models"] =>
  (server?.models ?? []).filter((model) => canTalk(model.capabilities));

/** What a session talks to: its provider is Ollama or named by a connection's id. */
export const chosenOf = (state: ModelState | null): ModelChoice =>
  state === null
    ? { model: "", connection: null }
    : { model: state.model, connection: state.provider === "ollama" ? null : state.provider };

/** What is known of the Ollama a choice leads to; undefined = it is another kind of server, or nothing is known yet. */
export const ollamaOf = (
  { connection }: Pick<ModelChoice, "connection">,
  server: ModelServerState | undefined,
  connections: readonly Connection[],
): ModelServerState | undefined =>
  connection === null ? server : connections.find(({ id }) => id === connection)?.server;

export const loadedOf = (server: ModelServerState | undefined, name: string): LoadedModel | null =>
  server?.loaded.find((one) => one.name === name) ?? null;

export interface WindowUse {
  /** 0 to 1; null before the first answer. */
  readonly share: number | null;
  /** What is asked for, what the server has allocated, what the model was trained for; the window is the least. */
  readonly window: ContextReport["window"];
}

export function windowUse(
  view: Pick<SessionView, "model" | "usage" | "entries">,
  server: ModelServerState | undefined,
): WindowUse | null {
  if (view.model === null || view.model.numCtx <= 0) return null;
  const { model, numCtx: asked } = view.model;
  const allocated = loadedOf(server, model)?.contextLength;
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

/** What the next prompt begins with, by the newest answer or by the compaction that came after it; null before the first answer. */
function tokensInUse({ usage, entries }: Pick<SessionView, "usage" | "entries">): number | null {
  for (const entry of eachBack(entries)) {
    if (entry.kind === "message" && entry.usage !== undefined) {
      const { promptTokens, estimatedPromptTokens } = entry.usage;
      // A server that was stopped in its answer tells no counts.
      return (promptTokens || estimatedPromptTokens) + answerTokens(entry.blocks, entry.usage);
    }
    if (entry.kind === "compaction" && entry.state === "done" && entry.tokensAfter !== undefined)
      return entry.tokensAfter;
  }
  return usage === null ? null : (usage.promptTokens || usage.estimatedPromptTokens) + usage.outputTokens;
}
