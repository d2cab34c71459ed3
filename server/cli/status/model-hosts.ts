/** Asks the model servers that a home has for their models. */
import { type AgentError, ok, type Result } from "@/lib/events/error";
import type { ModelInfo } from "@/lib/models/models";
import type { CommandLink } from "../session-link";

export interface ModelHost {
  /** Id of the connection; `ollama` = the main model server. */
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly models: readonly ModelInfo[];
  /** Why it has no list. */
  readonly error?: AgentError;
  /** It is not needed: it is not configured, and there is another one. */
  readonly isOptional: boolean;
}

/** The address without OLLAMA_HOST and `ollama.host`. */
const defaultOllama = "http://127.0.0.1:11434";

/** Returns the main model server, then the connections. */
export async function readModelHosts({ call }: CommandLink): Promise<Result<readonly ModelHost[]>> {
  const [welcome, ollama] = await Promise.all([call("app.welcome", {}), call("models.refresh", {})]);
  if (!welcome.ok) return welcome;
  if (!ollama.ok) return ollama;
  const { connections } = welcome.value;
  const others = connections.map(async ({ id, name, baseUrl }): Promise<ModelHost> => {
    const listed = await call("connections.models", { id });
    const host = { id, name, address: baseUrl, isOptional: false };
    return listed.ok ? { ...host, models: listed.value.models } : { ...host, models: [], error: listed.error };
  });
  const { host, models, status, error } = ollama.value;
  const isOptional = host === defaultOllama && connections.length > 0;
  const common = { id: "ollama", name: "Ollama", address: host, isOptional };
  const mainHost: ModelHost =
    status === "ready"
      ? { ...common, models }
      : { ...common, models: [], error: error ?? { code: "server_unreachable" } };
  return ok([mainHost, ...(await Promise.all(others))]);
}
