/** Finds the connection that new sessions use in place of an Ollama server that does not answer. */
import { defaultConnection, needsConnection } from "@/lib/models/default-connection";
import type { Settings } from "@/lib/settings/settings";
import type { Connections } from "../connections/connections";
import type { OllamaService } from "../ollama/ollama-service";

/**
 * Returns a function that lists the models of the connection that new sessions use where they need one: local connections are
 * requested in the user's order until one answers. It resolves with whether there is such a connection, and never rejects.
 */
export function replacementLister(
  {
    models,
    connections,
  }: { readonly models: Pick<OllamaService, "state">; readonly connections: Pick<Connections, "list" | "ready"> },
  settings: () => Settings,
): () => Promise<boolean> {
  const find = () => defaultConnection(models.state(), settings(), connections.list());
  return async () => {
    if (!needsConnection(models.state(), settings())) return false;
    const requested = new Set<string>();
    for (let chosen = find(); chosen !== undefined; chosen = find()) {
      if (requested.has(chosen.id)) return true;
      requested.add(chosen.id);
      await connections.ready(chosen.id);
    }
    for (const { id, local } of connections.list()) {
      if (!local || requested.has(id)) continue;
      await connections.ready(id);
      if (find() !== undefined) return true;
    }
    return false;
  };
}
