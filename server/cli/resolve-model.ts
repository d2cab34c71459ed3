/** Resolves the model that a command names, or the one of a new session. */
import { isSameModelName } from "@/lib/models/model-names";
import type { ModelServerState } from "@/lib/models/models";
import { parseModelName, type ParsedModelName } from "@/lib/models/parse-model-name";
import { preferredModels } from "@/lib/settings/settings";
import { RunFailure, cliErrorText } from "./cli-error-text";
import { callOrThrow } from "./server-job";
import type { SessionLink } from "./session-link";

/** The named model, possibly of a connection, or the one of a new session. */
export async function resolveTestedModel(link: SessionLink, named: string | null): Promise<ParsedModelName> {
  const { models, connections, settings } = await callOrThrow(link, "app.welcome", {});
  if (named !== null) return parseModelName(named, models.models, connections);
  const connection = connections.find(({ id }) => id === settings.connection);
  if (connection === undefined || connection.model === "")
    return { name: await resolveDefaultModel(link, settings.model) };
  return { name: connection.model, connection: connection.id };
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
