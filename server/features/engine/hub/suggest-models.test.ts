import { describe, expect, test } from "vitest";
import { findModelFit, loadModelCatalogue, memoryNeed, suggestModels } from "./suggest-models";
import { parseModelReference } from "./model-reference";

const gb = 1e9;
const catalogue = await loadModelCatalogue({});
const modelNamed = (name: string) => catalogue.find((model) => model.name === name)!;
const cpuOnly = (ram: number) => ({ ram: ram * gb, graphics: 0, isShared: false });
const withCard = (graphics: number, ram: number) => ({ ram: ram * gb, graphics: graphics * gb, isShared: false });
const apple = (ram: number) => ({ ram: ram * gb, graphics: ram * gb * 0.7, isShared: true });

describe("the catalogue", () => {
  test.each(catalogue)("$name has a reference that can be downloaded", ({ reference }) => {
    expect(parseModelReference(reference)?.quantization).toBeDefined();
  });
  test("a file named by the environment replaces it", async () => {
    await expect(loadModelCatalogue({ GOPI_MODEL_CATALOGUE: "/nowhere.json" })).rejects.toThrow(/ENOENT/);
  });
});

test("the memory need is the files, the cache of a 16k window and 1 GB", () => {
  expect(memoryNeed({ bytes: 5e9, kvBytesPerToken: 32_768 })).toBe(5e9 + 536_870_912 + 1e9);
});

test.each([
  ["Qwen3.5 4B", cpuOnly(16), "fits"],
  ["Qwen3.5 9B", cpuOnly(16), "slow"],
  ["Qwen3.8 27B", cpuOnly(16), "too_large"],
  ["gpt-oss 20B", cpuOnly(32), "fits"],
  ["Qwen3.5 4B", cpuOnly(8), "fits"],
  ["Qwen3.5 9B", cpuOnly(8), "too_large"],
  ["Qwen3.5 9B", withCard(12, 16), "fits"],
  ["gpt-oss 20B", withCard(8, 32), "fits"],
  ["Qwen3.8 27B", withCard(12, 32), "slow"],
  ["Qwen3.8 27B", withCard(24, 16), "fits"],
  ["Qwen3.5 9B", apple(16), "fits"],
  ["Qwen3.8 27B", apple(16), "too_large"],
  ["Qwen3.8 27B", apple(24), "too_large"],
  ["Qwen3.8 27B", apple(28), "slow"],
] as const)("%s on %o: %s", (name, memory, fit) => {
  expect(findModelFit(modelNamed(name), memory).fit).toBe(fit);
});

test("the prompts of other conversations count in the system's memory, not in that of a card", () => {
  const model = { ...modelNamed("gpt-oss 20B"), bytes: 20e9, kvBytesPerToken: 1e9 / 16_384 };
  const need = 22e9;
  expect(findModelFit(model, withCard(22, 16))).toEqual({ fit: "fits", memoryBytes: need });
  // 2 GB of 16, 3 GB for the system; 3 of 24.
  expect(findModelFit(model, cpuOnly(24))).toEqual({ fit: "too_large", memoryBytes: need + 3e9 });
  expect(findModelFit(model, withCard(10.9, 16))).toMatchObject({ fit: "too_large" });
  expect(findModelFit(model, withCard(11, 16))).toEqual({ fit: "fits", memoryBytes: need + 2e9 });
  expect(findModelFit(model, apple(32))).toEqual({ fit: "fits", memoryBytes: need + 4e9 });
  expect(findModelFit({ ...model, bytes: 23.5e9 }, { ...apple(32), graphics: 26e9 })).toMatchObject({
    fit: "too_large",
  });
});

test("the largest that fits comes first, then slow ones, then those too large", () => {
  expect(suggestModels(catalogue, withCard(12, 16)).map(({ name, fit }) => [name, fit])).toEqual([
    ["gpt-oss 20B", "fits"],
    ["Gemma 4 12B QAT", "fits"],
    ["Qwen3.5 9B", "fits"],
    ["Qwen3.5 4B", "fits"],
    ["Qwen3.8 27B", "slow"],
  ]);
});
