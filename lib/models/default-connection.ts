/** Chooses the default connection of new sessions if Ollama is not usable. */
import type { Connection, ModelServerState } from "./models";
import type { Settings } from "../settings/settings";

/** Id of the connection built from OPENAI_BASE_URL and OPENAI_API_KEY. */
export const environmentConnectionId = "environment";

/**
 * Returns the connection from the environment, else the only connection, if Ollama does not answer or has no models and
 * the user chose neither model nor connection. Otherwise undefined. Never a service on the internet: prompts are sent there only
 * when the user chooses it.
 */
export function defaultConnection(
  { status, models }: Pick<ModelServerState, "status" | "models">,
  { model, connection }: Pick<Settings, "model" | "connection">,
  connections: readonly Connection[],
): Connection | undefined {
  if (status === "unknown" || (status === "ready" && models.length > 0) || model !== "" || connection !== "")
    return undefined;
  const local = connections.filter((one) => one.local);
  return local.find(({ id }) => id === environmentConnectionId) ?? (local.length === 1 ? local[0] : undefined);
}
