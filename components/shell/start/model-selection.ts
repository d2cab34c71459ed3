/** Model and connection of a session. Pure. */
import { defaultConnection } from "@/lib/models/default-connection";
import type { ProjectId } from "@/lib/events/id";
import { isSameModelName } from "@/lib/models/model-names";
import type { Connection, LoadedModel, ModelServerState } from "@/lib/models/models";
import { preferredModels } from "@/lib/models/suggested-models";
import type { Settings } from "@/lib/settings/settings";
import type { ModelState } from "@/lib/view/view";

const supportsChat = (capabilities: readonly string[]): boolean =>
  capabilities.length === 0 || capabilities.includes("completion");

/**
 * Returns the model named in the settings, else the first installed preferred model, else the first installed one; "" =
 * none.
 */
function ollamaModelForNewSession(settings: Settings | undefined, server: ModelServerState | undefined): string {
  const installed = (server?.models ?? [])
    .filter((model) => supportsChat(model.capabilities))
    .map((model) => model.name);
  if (settings !== undefined && settings.model !== "") return settings.model;
  const preferred = preferredModels.flatMap((name) => installed.filter((one) => isSameModelName(name, one)));
  return preferred[0] ?? installed[0] ?? "";
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
interface DraftModelSelection {
  readonly model: string | null;
  readonly connection: string | null;
}

/**
 * Returns the model of a new session: the user's selection, else that of the project, else the settings' connection with its model, else an
 * Ollama model.
 */
export function modelForNewSession(
  draft: DraftModelSelection,
  settings: Settings | undefined,
  server: ModelServerState | undefined,
  connections: readonly Connection[],
  projectId: ProjectId | null,
): ModelSelection {
  if (draft.model !== null) return { model: draft.model, connection: draft.connection };
  const instead =
    settings === undefined || server === undefined ? undefined : defaultConnection(server, settings, connections);
  const connection =
    connections.find((one) => projectId !== null && one.projectId === projectId) ??
    connections.find((one) => one.id === settings?.connection) ??
    instead;
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
  server?.loaded.find((one) => isSameModelName(one.name, name)) ?? null;
