/** What is known of the Ollama behind a provider id. Used by handlers and the doctor. */
import type { Connections } from "./connections";
import type { Models } from "./models";

export interface OllamaServers {
  /** The Ollama of the settings. */
  readonly models: Models;
  readonly connections: Pick<Connections, "live">;
}

/** undefined = there is no such server, or it is no Ollama. */
export const ollamaOf = ({ models, connections }: OllamaServers, provider: string): Models | undefined =>
  provider === "ollama" ? models : connections.live().get(provider)?.ollama;
