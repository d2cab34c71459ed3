/** Whether Ollama answers at the address of a connection to another kind of server. Used by connections. */
import { makeOllama } from "@/server/providers/ollama";

/** Its address as a connection to Ollama has it; null = no Ollama answers there. Never rejects. `key` belongs to this server. */
export async function ollamaAt(baseUrl: string, key: string | null, signal: AbortSignal): Promise<string | null> {
  const host = baseUrl.replace(/\/v1$/, "");
  const provider = makeOllama({ host: () => host, apiKey: () => key });
  try {
    const version = await provider.version(signal);
    await provider.models(signal);
    // Other servers imitate single paths of Ollama and have no version.
    return /^v?\d/.test(version) ? host : null;
  } catch {
    return null;
  }
}
