/** Which connection new sessions take by themselves. Pure; used by the server, the command line and the page, so that all say the same. */
import type { Connection, ModelServerState } from "./models";
import type { Settings } from "./settings";

/** The id of the connection that is made of OPENAI_BASE_URL and OPENAI_API_KEY. */
export const environmentId = "environment";

/**
 * Where Ollama does not answer, or has no model, and the user chose nothing: the connection of the environment, else the only one.
 * undefined = there is none, or a choice was made.
 */
export function connectionInstead(
  { status, models }: Pick<ModelServerState, "status" | "models">,
  { model, connection }: Pick<Settings, "model" | "connection">,
  connections: readonly Connection[],
): Connection | undefined {
  if (status === "unknown" || (status === "ready" && models.length > 0) || model !== "" || connection !== "")
    return undefined;
  return connections.find(({ id }) => id === environmentId) ?? (connections.length === 1 ? connections[0] : undefined);
}
