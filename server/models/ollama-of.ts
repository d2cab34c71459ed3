/** Finds the Ollama server behind a provider id. */
import type { Connections } from "./connections";
import type { Models } from "./models";

export interface OllamaServers {
  /** The Ollama of the settings. */
  readonly models: Models;
  readonly connections: Pick<Connections, "live">;
}

/** undefined = no such server, or not an Ollama. */
export const ollamaOf = ({ models, connections }: OllamaServers, provider: string): Models | undefined =>
  provider === "ollama" ? models : connections.live().get(provider)?.ollama;
