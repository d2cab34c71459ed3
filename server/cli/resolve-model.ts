/** Resolves the model that a command names, or the one of a new session. */
import { isSameModelName } from "@/lib/models/model-names";
import { canChat } from "@/lib/models/can-chat";
import { defaultConnection, environmentConnectionId } from "@/lib/models/default-connection";
import { engineConnectionId } from "@/lib/models/engine";
import type { Connection, ModelInfo, ModelServerState } from "@/lib/models/models";
import { parseModelName, type ParsedModelName } from "@/lib/models/parse-model-name";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import { preferredModels } from "@/lib/models/suggested-models";
import { printable } from "./arguments/options";
import { RunFailure, cliErrorText } from "./cli-error-text";
import { callOrThrow } from "./server-job";
import type { SessionLink } from "./session-link";

type Call = <N extends CommandName>(name: N, input: CommandInput<N>) => Promise<CommandOutput<N>>;

/** A model of the connection that replaces an unusable Ollama in new sessions. */
interface ReplacementModel {
  readonly name: string;
  readonly connection: Connection;
}

/** Waits for the built-in engine's connection: a server that was just started may still read its models. */
export async function fetchWelcome(call: Call): Promise<CommandOutput<"app.welcome">> {
  // Other models can be used if it fails.
  await call("engine.ready", {}).catch(() => undefined);
  return call("app.welcome", {});
}

/** null = new sessions use Ollama, or what the settings name. */
export async function resolveReplacement(
  call: Call,
  { models, connections, settings }: Pick<CommandOutput<"app.welcome">, "models" | "connections" | "settings">,
): Promise<ReplacementModel | null> {
  const state = models.status === "unknown" ? await call("models.refresh", {}) : models;
  const connection = defaultConnection(state, settings, connections);
  return connection === undefined ? null : { name: await modelOf(call, connection), connection };
}

/** The model that sessions of a connection begin with; "" = the server lists none. */
async function modelOf(call: Call, { id, model }: Connection): Promise<string> {
  return model === "" ? ((await call("connections.models", { id })).models.find(canChat)?.name ?? "") : model;
}

interface ModelLists {
  /** Ollama's state of now. */
  refresh(): Promise<Pick<ModelServerState, "status" | "models">>;
  /** The models of a connection. Rejects if it does not answer. */
  list(id: string): Promise<readonly Pick<ModelInfo, "name">[]>;
}

export const modelLists = (call: Call): ModelLists => ({
  refresh: () => call("models.refresh", {}),
  list: async (id) => (await call("connections.models", { id })).models,
});

/**
 * The model of a name, possibly of a connection that the name begins with. While Ollama is not usable, it is looked for on the
 * servers of this machine and its network. Throws RunFailure if they answer and do not have it, or say why they do not answer.
 */
export async function findNamedModel(
  { refresh, list }: ModelLists,
  text: string,
  { models, connections }: Pick<CommandOutput<"app.welcome">, "models" | "connections">,
): Promise<ParsedModelName> {
  // Without models the engine has no connection, but its name is reserved.
  const named = parseModelName(text, models.models, [...connections, { id: engineConnectionId, model: "" }]);
  if (named.connection !== undefined) return named;
  const state = models.status === "unknown" ? await refresh() : models;
  if (state.status === "ready" && state.models.length > 0) return named;
  const local = connections.filter((one) => one.local);
  const reasons: string[] = [];
  for (const { id, baseUrl } of [...local].sort((one, other) => rankOf(one.id) - rankOf(other.id))) {
    const listed = await list(id).catch(readReason);
    if (typeof listed === "string") {
      if (listed !== "") reasons.push(`${printable(baseUrl)}: ${listed}`);
      continue;
    }
    // One without a list may have it.
    if (listed.some((one) => one.name === text) || (listed.length === 0 && id === environmentConnectionId))
      return { name: text, connection: id };
    const names = listed.slice(0, maxShownModels).map(({ name }) => printable(name));
    const more = listed.length > names.length ? ", …" : "";
    if (names.length > 0)
      reasons.push(`${printable(baseUrl)} has no model ${printable(text)}, it has ${names.join(", ")}${more}`);
  }
  if (reasons.length > 0) throw new RunFailure(reasons.join("; "));
  return named;
}

const maxShownModels = 10;

/** Why a server has no list of models; "" = it does not respond, as the user may expect. */
const readReason = (error: unknown): string => {
  if (!(error instanceof RunFailure)) throw error;
  return error.code === "server_unreachable" ? "" : error.message;
};

const rankOf = (id: string): number => (id === environmentConnectionId ? 0 : 1);

/** The named model, possibly of a connection, or the one of a new session. */
export async function resolveTestedModel(link: SessionLink, named: string | null): Promise<ParsedModelName> {
  const call: Call = (name, input) => callOrThrow(link, name, input);
  const welcome = await fetchWelcome(call);
  const { connections, settings } = welcome;
  if (named !== null) return findNamedModel(modelLists(call), named, welcome);
  const connection = connections.find(({ id }) => id === settings.connection);
  if (connection !== undefined) return { name: await modelOf(call, connection), connection: connection.id };
  const instead = await resolveReplacement(call, welcome);
  if (instead !== null) return { name: instead.name, connection: instead.connection.id };
  return { name: await resolveDefaultModel(link, settings.model) };
}

async function resolveDefaultModel(link: SessionLink, model: string): Promise<string> {
  if (model !== "") return model;
  const { models, error }: ModelServerState = await callOrThrow(link, "models.refresh", {});
  if (error !== undefined) throw new RunFailure(cliErrorText(error));
  const local = models.filter((one) => !one.cloud && !one.capabilities.includes("embedding"));
  const [preferred] = preferredModels.flatMap((name) => local.filter((one) => isSameModelName(name, one.name)));
  const usual = preferred?.name ?? local[0]?.name;
  if (usual === undefined)
    throw new RunFailure("no model installed; download one first, for example: ollama pull qwen3:8b");
  return usual;
}
