/** Finds a model on its server, with facts that are not older than this call. */
import { fail, ok, type Result } from "@/lib/events/error";
import { engineConnectionId } from "@/lib/models/engine";
import type { ModelInfo } from "@/lib/models/models";
import { findModel } from "../choice/choose-model";
import { resolveModel } from "../choice/model-choice";
import { findOllama } from "../ollama/find-ollama";
import type { ModelAccess } from "./model-access";
import type { ModelServerEntry } from "./model-server-entry";

interface FoundModel {
  readonly server: ModelServerEntry;
  readonly model: ModelInfo;
}

/**
 * `provider` is "ollama" or a connection's id. Fails with not_found, model_missing (facts: `available` = the models of the
 * built-in engine, separated by commas), server_unreachable.
 */
export async function findServedModel(
  { models, connections, servers }: Pick<ModelAccess, "models" | "connections" | "servers">,
  provider: string,
  name: string,
  signal: AbortSignal,
): Promise<Result<FoundModel>> {
  const server = servers.get(provider);
  if (server === undefined)
    // Without models the engine has no connection.
    return provider === engineConnectionId ? missingModel(name, []) : fail("not_found", provider);
  const ollama = findOllama({ models, connections }, provider);
  if (ollama !== undefined) {
    const found = await ollama.find(name, signal);
    if (!found.ok) return found;
    await ollama.window(found.value.name, signal);
  }
  await connections.ready(provider);
  const live = connections.live().get(provider);
  const listed = live?.lastList() ?? [];
  if (live?.hasWholeList === true && name !== "" && findModel(listed, name) === undefined)
    return missingModel(name, listed);
  const model = resolveModel(server.facts(), name);
  return model === undefined ? fail("model_missing", undefined, { model: name }) : ok({ server, model });
}

const missingModel = (model: string, listed: readonly ModelInfo[]): Result<never> =>
  fail("model_missing", undefined, { model, available: listed.map(({ name }) => name).join(", ") });
