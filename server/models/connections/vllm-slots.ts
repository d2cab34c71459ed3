/** Counts the whole windows in the cache of a vLLM, from its metrics: that many sessions it can answer at once. */
import type { ModelInfo } from "@/lib/models/models";
import { answersAtOnceMax } from "@/lib/models/connection-routing";
import { ProviderError } from "@/server/providers/provider";
import type { makeLlamaModels } from "./llama-models";

/** One line for each engine of the server; its labels are in no fixed order. */
const cacheLine = /^vllm:cache_config_info\{([^}\n]{1,4000})\}/gm;

function labelIn(labels: string, name: string): number {
  const value = Number(new RegExp(`(?:^|,)${name}="(\\d{1,12})"`).exec(labels)?.[1]);
  return Number.isNaN(value) ? 0 : value;
}

/** Returns 1 to `answersAtOnceMax`; undefined = the text or the list does not tell. */
function parseVllmSlots(metrics: string, models: readonly ModelInfo[]): number | undefined {
  let tokens = 0;
  for (const [, labels = ""] of metrics.matchAll(cacheLine))
    tokens +=
      labelIn(labels, "kv_cache_size_tokens") || labelIn(labels, "num_gpu_blocks") * labelIn(labels, "block_size");
  const window = Math.max(0, ...models.map(({ contextLength = 0 }) => contextLength));
  if (tokens === 0 || window === 0) return undefined;
  return Math.min(answersAtOnceMax, Math.max(1, Math.floor(tokens / window)));
}

/** Adds the slots to what is requested with each list. A server without metrics is asked once. */
export function withVllmSlots(
  kind: ReturnType<typeof makeLlamaModels>,
  fetchMetrics: (signal: AbortSignal) => Promise<string>,
): ReturnType<typeof makeLlamaModels> {
  let slots: number | undefined;
  let isMissing = false;
  return {
    ...kind,
    slots: () => slots ?? kind.slots(),
    async complete(listed, signal) {
      const models = await kind.complete(listed, signal);
      if (isMissing) return models;
      try {
        slots = parseVllmSlots(await fetchMetrics(signal), models);
      } catch (cause) {
        isMissing = cause instanceof ProviderError && cause.error.code === "wrong_address";
      }
      return models;
    },
  };
}
