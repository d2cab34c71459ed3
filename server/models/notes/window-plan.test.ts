import { describe, expect, it } from "vitest";
import type { ModelInfo } from "@/lib/models/models";
import { listedWindow, planWindow, type WindowPlanInput, updateGpuSpill } from "./window-plan";

const gib = 2 ** 30;
/** 57,344 bytes per token: 0.9 GB for 16k. */
const seven: ModelInfo = {
  name: "qwen2.5-coder:7b",
  size: 4.7e9,
  contextLength: 131_072,
  kvBytesPerToken: 57_344,
  capabilities: [],
  cloud: false,
};
const thirty = { ...seven, name: "coder:30b", size: 18.6e9, kvBytesPerToken: 98_304 };
const unknown = { ...seven, kvBytesPerToken: undefined };
const plan = (input: Partial<WindowPlanInput>) => {
  const { model = seven, ...rest } = input;
  const { kvBytesPerToken, ...facts } = model;
  return planWindow({ model: { ...facts, kvBytesPerToken }, ...rest });
};

describe("the window of new sessions", () => {
  it.each<[string, Partial<Omit<WindowPlanInput, "model">> & { model?: object }, number, string]>([
    ["the default where the memory is another machine's", {}, 16_384, "default"],
    ["the default where the shape is unknown", { model: unknown, memoryBytes: 64 * gib }, 16_384, "default"],
    ["careful on 16 GB", { memoryBytes: 16 * gib }, 16_384, "default"],
    ["larger on 32 GB", { memoryBytes: 31 * gib }, 32_768, "default"],
    ["larger still on 64 GB", { memoryBytes: 62 * gib }, 65_536, "default"],
    // 8 - 2 free = 6.44e9; 4.7e9 + 0.54e9 + 16,384 × 57,344 = 6.18e9
    ["what fits 8 GB", { memoryBytes: 8 * gib }, 16_384, "default"],
    // 7 - 2 = 5.37e9: 4.7e9 + 0.54e9 leave 0.13e9, 4,096 tokens need 0.23e9
    ["the smallest where nothing fits", { memoryBytes: 7 * gib }, 4_096, "memory"],
    // 24 - 4.8 = 20.6e9; 18.6e9 + 0.54e9 leave 1.47e9: 8,192 need 0.81e9, 16,384 need 1.61e9
    ["less where memory requires it", { model: thirty, memoryBytes: 24 * gib }, 8_192, "memory"],
    ["the model's own where it is less", { model: { ...seven, contextLength: 8_192 } }, 8_192, "model"],
    ["a step below an odd limit", { model: { ...seven, contextLength: 10_000 } }, 8_192, "model"],
    ["the whole of a tiny model", { model: { ...seven, contextLength: 2_048 } }, 2_048, "model"],
    ["the user's", { wanted: 65_536, memoryBytes: 8 * gib }, 65_536, "user"],
    ["the user's, beside the steps", { wanted: 9_000 }, 9_000, "user"],
    ["the user's within the model's", { wanted: 65_536, model: { ...seven, contextLength: 8_192 } }, 8_192, "user"],
    ["never below what an agent needs", { wanted: 100 }, 2_048, "user"],
    [
      "below the one at which the model left the GPU",
      { memoryBytes: 31 * gib, spill: { tokens: 16_384, gpuBytes: 5.8e9 } },
      8_192,
      "memory",
    ],
    [
      "limited by memory where the weights alone exceed the GPU",
      { memoryBytes: 31 * gib, spill: { tokens: 4_096, gpuBytes: 4e9 } },
      32_768,
      "default",
    ],
    [
      "the largest that loaded where a larger one ran out of memory",
      { memoryBytes: 31 * gib, loadable: 8_192 },
      8_192,
      "memory",
    ],
  ])("is %s", (_name, { model, ...input }, chosen, expectedSource) => {
    expect(plan({ ...input, ...(model === undefined ? {} : { model: { ...seven, ...model } }) })).toMatchObject({
      chosen,
      by: expectedSource,
    });
  });

  it("lists the cost of each step and whether it fits", () => {
    const { steps, own, memoryBytes, allocated } = plan({ memoryBytes: 8 * gib, allocated: 4_096, wanted: 9_000 });
    expect({ own, memoryBytes, allocated }).toEqual({ own: 131_072, memoryBytes: 8 * gib, allocated: 4_096 });
    expect(steps.map(({ tokens, fits }) => [tokens, fits])).toEqual([
      [4_096, true],
      [8_192, true],
      [9_000, true],
      [16_384, true],
      [32_768, false],
      [65_536, false],
      [131_072, false],
    ]);
    expect(steps[3]?.bytes).toBe(4.7e9 + 939_524_096);
  });

  it("is null where the facts are missing", () => {
    expect(plan({ model: unknown }).steps[0]).toEqual({ tokens: 4_096, fits: null });
    expect(plan({}).steps[0]).toEqual({ tokens: 4_096, bytes: 4.7e9 + 234_881_024, fits: null });
    expect(plan({ model: { ...unknown, size: 4.7e9 }, spill: { tokens: 8_192, gpuBytes: 6e9 } }).steps[1]?.fits).toBe(
      false,
    );
  });
});

describe("the GPU observation", () => {
  const spill = { tokens: 16_384, gpuBytes: 6e9 };
  it.each([
    ["undefined without a GPU", undefined, { tokens: 4_096, size: 5e9, vramShare: 0 }, undefined],
    ["undefined while everything fits", undefined, { tokens: 4_096, size: 5e9, vramShare: 1 }, undefined],
    ["a window at which part fell off", undefined, { tokens: 16_384, size: 8e9, vramShare: 0.75 }, spill],
    [
      "the smallest such window",
      spill,
      { tokens: 8_192, size: 7e9, vramShare: 0.5 },
      { tokens: 8_192, gpuBytes: 3.5e9 },
    ],
    ["the smallest such window, still", spill, { tokens: 32_768, size: 9e9, vramShare: 0.5 }, spill],
    ["the same where a smaller one fits", spill, { tokens: 8_192, size: 5e9, vramShare: 1 }, spill],
    ["undefined again where it fits now", spill, { tokens: 16_384, size: 8e9, vramShare: 1 }, undefined],
  ])("is %s", (_name, before, seen, after) => {
    expect(updateGpuSpill(before, seen)).toEqual(after);
  });
});

describe("the window of a listed model", () => {
  it.each<[string, Partial<WindowPlanInput>, number | undefined]>([
    ["is that of new sessions", { memoryBytes: 16 * gib }, 16_384],
    [
      "is absent while the model's own limit is not reported",
      { model: { ...seven, contextLength: undefined } },
      undefined,
    ],
    ["is the user's choice in any case", { model: { ...seven, contextLength: undefined }, wanted: 8_192 }, 8_192],
  ])("%s", (_title, input, expected) => expect(listedWindow({ ...seven, ...input.model }, plan(input))).toBe(expected));
});
