/** Detects an Ollama server at the address of a connection of another kind. */
import { makeOllama } from "@/server/providers/ollama/ollama";
import type { KeySource } from "@/server/providers/wire/sent-key";

/**
 * Returns the address for a connection to Ollama; null = no Ollama answers there. Never rejects. `key` is that of this
 * server.
 */
export async function detectOllama(baseUrl: string, key: KeySource, signal: AbortSignal): Promise<string | null> {
  const host = baseUrl.replace(/\/v1$/, "");
  const provider = makeOllama({ host: () => host, ...key });
  try {
    const version = await provider.version(signal);
    await provider.models(signal);
    // Other servers imitate single paths of Ollama but have no version.
    return /^v?\d/.test(version) ? host : null;
  } catch {
    return null;
  }
}
