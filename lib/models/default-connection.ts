/** Chooses the default connection of new sessions if Ollama is not usable. */
import type { Connection, ModelServerState } from "./models";
import type { Settings } from "../settings/settings";

/** Id of the connection built from OPENAI_BASE_URL and OPENAI_API_KEY. */
export const environmentConnectionId = "environment";

/** Whether new sessions need another server: Ollama does not answer or has no models, and the user chose neither model nor connection. */
export const needsConnection = (
  { status, models }: Pick<ModelServerState, "status" | "models">,
  { model, connection }: Pick<Settings, "model" | "connection">,
): boolean => status !== "unknown" && (status !== "ready" || models.length === 0) && model === "" && connection === "";

/**
 * Returns the connection that new sessions use where they need one: that of the environment, else the only one, else the
 * first in the user's order that answers. Never a service on the internet: prompts are sent there only
 * when the user chooses it.
 */
export function defaultConnection(
  server: Pick<ModelServerState, "status" | "models">,
  settings: Pick<Settings, "model" | "connection">,
  connections: readonly Connection[],
): Connection | undefined {
  if (!needsConnection(server, settings)) return undefined;
  const local = connections.filter((one) => one.local && one.projectId === undefined);
  return (
    local.find(({ id }) => id === environmentConnectionId) ??
    local.find(({ answers }) => answers === true || local.length === 1)
  );
}
