/** Finds the Ollama server behind a provider id. */
import type { Connections } from "../connections/connections";
import type { OllamaService } from "./ollama-service";

export interface OllamaLookup {
  /** The Ollama of the settings. */
  readonly models: OllamaService;
  readonly connections: Pick<Connections, "live">;
}

/** undefined = no such server, or not an Ollama. */
export const findOllama = ({ models, connections }: OllamaLookup, provider: string): OllamaService | undefined =>
  provider === "ollama" ? models : connections.live().get(provider)?.ollama;
