/** Detects an OpenAI-compatible server, such as llama-server or LM Studio, at an Ollama address. */
import { makeOpenAi } from "@/server/providers/openai/openai";
import { parseOllamaHost } from "@/server/providers/ollama/ollama-host";
import { findPreset } from "@/server/providers/presets";

/** Returns the base URL for a connection; null = it has no models. Rejects with the server's error. */
export async function detectOpenAi(host: string, signal: AbortSignal): Promise<string | null> {
  const address = parseOllamaHost(host);
  if (!address.ok) return null;
  const baseUrl = `${address.value.replace(/\/+$/, "")}/v1`;
  const provider = makeOpenAi({
    id: "look",
    preset: findPreset("custom"),
    baseUrl: () => baseUrl,
    apiKey: () => null,
    temperature: () => undefined,
  });
  return (await provider.models(signal)).length > 0 ? baseUrl : null;
}
