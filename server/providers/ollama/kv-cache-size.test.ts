import { describe, expect, it } from "vitest";
import { computeKvBytesPerToken } from "./kv-cache-size";

const shape = (architecture: string, fields: Record<string, unknown>) => ({
  "general.architecture": architecture,
  ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${architecture}.${name}`, value])),
});

describe("the memory of one token", () => {
  it.each([
    // 28 layers × 4 heads × (128 + 128) × 2 bytes
    [
      "qwen2",
      { block_count: 28, embedding_length: 3584, "attention.head_count": 28, "attention.head_count_kv": 4 },
      57_344,
    ],
    // with explicit lengths: 36 × 8 × (128 + 128) × 2
    [
      "qwen3",
      {
        block_count: 36,
        embedding_length: 4096,
        "attention.head_count": 32,
        "attention.head_count_kv": 8,
        "attention.key_length": 128,
        "attention.value_length": 128,
      },
      147_456,
    ],
    // without grouped heads: all heads count, 32 × 32 × 256 × 2
    ["llama", { block_count: 32, embedding_length: 4096, "attention.head_count": 32 }, 524_288],
    // a list: two of four layers have a cache, (8 + 8) × 256 × 2
    [
      "hybrid",
      { block_count: 4, embedding_length: 2048, "attention.head_count": 16, "attention.head_count_kv": [0, 8, 0, 8] },
      8_192,
    ],
    // every sixth of 48 layers has full attention: 8 × 8 × 512 × 2
    [
      "gemma3",
      {
        block_count: 48,
        "attention.head_count_kv": 8,
        "attention.key_length": 256,
        "attention.value_length": 256,
        "attention.sliding_window": 1024,
      },
      65_536,
    ],
    // a list marks the sliding layers: one of three is not, 2 × 128 × 2
    [
      "listed",
      {
        block_count: 3,
        embedding_length: 512,
        "attention.head_count": 8,
        "attention.head_count_kv": 2,
        "attention.sliding_window": 512,
        "attention.sliding_window_pattern": [true, false, true],
      },
      512,
    ],
    // a window without a pattern: every layer is counted
    [
      "mistral",
      {
        block_count: 32,
        embedding_length: 4096,
        "attention.head_count": 32,
        "attention.head_count_kv": 8,
        "attention.sliding_window": 4096,
      },
      131_072,
    ],
  ])("of %s", (architecture, fields, bytes) => {
    expect(computeKvBytesPerToken(shape(architecture, fields))).toBe(bytes);
  });

  it.each([
    ["no shape", {}],
    ["layers alone", { block_count: 32 }],
    ["no width", { block_count: 32, "attention.head_count_kv": 8 }],
    ["words for numbers", { block_count: "32", embedding_length: 4096, "attention.head_count": 32 }],
  ])("is undefined with %s", (_name, fields) => {
    expect(computeKvBytesPerToken(shape("x", fields))).toBeUndefined();
  });
});
