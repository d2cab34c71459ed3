/** Whether a server of another kind answers where Ollama was looked for, such as llama-server or LM Studio. Used by models. */
import { makeOpenAi } from "@/server/providers/openai";
import { parseOllamaHost } from "@/server/providers/ollama-host";
import { presetOf } from "@/server/providers/presets";

/** Its address as a connection has it; null = its list of models is not there. Rejects as the server fails. */
export async function openAiAt(host: string, signal: AbortSignal): Promise<string | null> {
  const address = parseOllamaHost(host);
  if (!address.ok) return null;
  const baseUrl = `${address.value.replace(/\/+$/, "")}/v1`;
  const provider = makeOpenAi({
    id: "look",
    preset: presetOf("custom"),
    baseUrl: () => baseUrl,
    apiKey: () => null,
    temperature: () => undefined,
  });
  return (await provider.models(signal)).length > 0 ? baseUrl : null;
}
