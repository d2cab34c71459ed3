/** Asks the model servers that a home has for their models. */
import type { AgentError, Result } from "@/lib/events/error";
import type { Connection } from "@/lib/models/models";
import type { ModelHost } from "@/lib/protocol/status-report";
import type { Settings } from "@/lib/settings/settings";
import { abortable } from "@/server/base/abort";
import type { Connections } from "../connections/connections";
import type { OllamaService } from "../ollama/ollama-service";

interface ModelServers {
  readonly models: Pick<OllamaService, "refresh">;
  readonly connections: Pick<Connections, "list" | "models">;
  settings(): Pick<Settings, "model">;
}

/** The address without OLLAMA_HOST and `ollama.host`. */
const defaultOllama = "http://127.0.0.1:11434";

/** Returns the main model server, then the connections. What has not answered when the signal fires does not respond. */
export async function readModelHosts(
  { models, connections, settings }: ModelServers,
  signal: AbortSignal,
): Promise<readonly ModelHost[]> {
  const listed = connections.list();
  const readConnection = async ({ id, name, baseUrl }: Connection): Promise<ModelHost> => {
    const found = await orUnreachable(connections.models({ id }), signal);
    const host = { id, name, address: baseUrl, isOptional: false };
    return found.ok ? { ...host, models: found.value } : { ...host, models: [], error: found.error };
  };
  const readOllama = async (): Promise<ModelHost> => {
    const { host, status, models: names, error } = await models.refresh(signal);
    const isOptional = host === defaultOllama && settings().model === "" && listed.length > 0;
    const main = { id: "ollama", name: "Ollama", address: host, isOptional };
    if (status === "ready") return { ...main, models: names };
    return { ...main, models: [], error: error ?? unreachable };
  };
  return Promise.all([readOllama(), ...listed.map(readConnection)]);
}

const unreachable: AgentError = { code: "server_unreachable" };

const orUnreachable = async <T>(answer: Promise<Result<T>>, signal: AbortSignal): Promise<Result<T>> =>
  abortable(answer, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return { ok: false, error: { ...unreachable, detail: "no answer in time" } };
  });
