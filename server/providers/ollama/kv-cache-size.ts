/**
 * Memory cost of one context token, from a model's shape in /api/show (GGUF metadata under the name of the
 * architecture).
 */

/** Bytes per number of K and V in each full-attention layer (16 bits). */
const bytesPerNumber = 2;

/**
 * Families in which only every n-th layer has full attention and the others a sliding window, although their files do
 * not list which.
 */
const fullLayerEvery: Readonly<Record<string, number>> = {
  gemma2: 2,
  gemma3: 6,
  gptoss: 2,
  "gpt-oss": 2,
  cohere2: 4,
};

/** Bytes per token; undefined if the shape is missing. */
export function computeKvBytesPerToken(info: { readonly [name: string]: unknown }): number | undefined {
  const architecture = String(info["general.architecture"]);
  const field = (name: string): unknown => info[`${architecture}.${name}`];
  const layers = positiveOrUndefined(field("block_count"));
  if (layers === undefined) return undefined;
  const width = positiveOrUndefined(field("embedding_length"));
  const heads = positiveOrUndefined(field("attention.head_count"));
  const headWidth = width !== undefined && heads !== undefined ? width / heads : undefined;
  const keys = positiveOrUndefined(field("attention.key_length")) ?? headWidth;
  const values = positiveOrUndefined(field("attention.value_length")) ?? headWidth;
  const cachedHeads = headsPerLayer(field("attention.head_count_kv") ?? heads, layers);
  if (keys === undefined || values === undefined || cachedHeads === undefined) return undefined;
  const interval = positiveOrUndefined(field("full_attention_interval"));
  const isFull =
    interval === undefined
      ? findFullAttention(
          field("attention.sliding_window"),
          field("attention.sliding_window_pattern") ?? fullLayerEvery[architecture],
        )
      : // The layers between keep a state of fixed size (Qwen3-Next, Qwen3.5).
        isEvery(interval);
  const counted = cachedHeads.reduce((sum, count, layer) => sum + (isFull(layer) ? count : 0), 0);
  return Math.round(counted * (keys + values) * bytesPerNumber);
}

const positiveOrUndefined = (value: unknown): number | undefined =>
  typeof value === "number" && value > 0 ? value : undefined;

/** KV heads of each layer: one number for all, or a list with one per layer (0 = a layer without a cache). */
function headsPerLayer(field: unknown, layers: number): readonly number[] | undefined {
  if (Array.isArray(field)) return field.map((count) => positiveOrUndefined(count) ?? 0);
  const all = positiveOrUndefined(field);
  return all === undefined ? undefined : Array.from({ length: layers }, () => all);
}

/**
 * Returns whether a layer has full attention. Sliding-window layers have a bounded cache and cost nothing per token; a
 * list pattern marks them true.
 */
function findFullAttention(window: unknown, pattern: unknown): (layer: number) => boolean {
  if (positiveOrUndefined(window) === undefined) return () => true;
  if (Array.isArray(pattern)) return (layer) => pattern[layer] !== true;
  const every = positiveOrUndefined(pattern);
  return every === undefined ? () => true : isEvery(every);
}

const isEvery =
  (count: number) =>
  (layer: number): boolean =>
    (layer + 1) % count === 0;
