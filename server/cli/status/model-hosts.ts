/** Asks the model servers that a home has for their models. */
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { Connection, ModelInfo } from "@/lib/models/models";
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

/** Returns the main model server, then the connections. `ask` may have a time limit: what has not answered then does not respond. */
export async function readModelHosts(link: CommandLink, ask = link): Promise<Result<readonly ModelHost[]>> {
  const welcome = await link.call("app.welcome", {});
  if (!welcome.ok) return welcome;
  const { connections, models, settings } = welcome.value;
  const isOptional = models.host === defaultOllama && settings.model === "" && connections.length > 0;
  const main = { id: "ollama", name: "Ollama", address: models.host, isOptional };
  const readConnection = async ({ id, name, baseUrl }: Connection): Promise<ModelHost> => {
    const listed = await ask.call("connections.models", { id }).catch(toUnreachable);
    const host = { id, name, address: baseUrl, isOptional: false };
    return listed.ok ? { ...host, models: listed.value.models } : { ...host, models: [], error: listed.error };
  };
  return ok(await Promise.all([readOllama(ask, main), ...connections.map(readConnection)]));
}

async function readOllama(ask: CommandLink, host: Omit<ModelHost, "models">): Promise<ModelHost> {
  const state = await ask.call("models.refresh", {}).catch(toUnreachable);
  if (state.ok && state.value.status === "ready") return { ...host, models: state.value.models };
  const error = state.ok ? state.value.error : state.error;
  return { ...host, models: [], error: error ?? { code: "server_unreachable" } };
}

/** Rethrows what is not a time limit. */
function toUnreachable(error: unknown): Result<never> {
  if (error instanceof DOMException && error.name === "TimeoutError")
    return fail("server_unreachable", "no answer in time");
  throw error;
}
