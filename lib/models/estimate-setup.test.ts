import { expect, test } from "vitest";
import { estimateSetup } from "./estimate-setup";

const qwen = { bytes: 3_413_000_000, activeParameters: 4.2e9, memoryBytes: 6e9 };
const gptOss = { bytes: 12_109_566_624, activeParameters: 3.6e9, memoryBytes: 15e9 };
const plain = { ram: 24e9, graphics: 0, isShared: false };
const facts = { memory: plain, threads: 8, extraBytes: 0, downloadRate: 0 };

test("without a measured rate, the download is estimated at 25 Mbit/s", () => {
  // 12.1 GB × 8 / 25 Mbit/s = 3,875 s.
  expect(estimateSetup(gptOss, facts)).toMatchObject({ minutes: 65, isAssumed: true });
});

test("a measured rate counts instead, with everything that is downloaded", () => {
  const measured = { ...facts, extraBytes: 587_000_000, downloadRate: 10e6 };
  // 4 GB at 10 MB/s = 400 s.
  expect(estimateSetup(qwen, measured)).toMatchObject({ minutes: 7, isAssumed: false });
  expect(estimateSetup({ ...qwen, bytes: 1_000 }, facts).minutes).toBe(1);
});

test("a speed that was measured on this machine is not estimated", () => {
  expect(estimateSetup({ ...qwen, writePerSecond: 7.3 }, facts)).toMatchObject({
    tokensPerSecond: 7.3,
    isMeasured: true,
  });
});

test.each([
  ["eight threads", plain, 8, qwen, 15],
  ["a mixture reads only its active part", plain, 8, gptOss, 20],
  ["two threads", plain, 2, qwen, 4],
  ["more threads than the memory can serve", plain, 64, qwen, 15],
  ["a graphics card", { ...plain, graphics: 12e9 }, 8, qwen, 100],
  ["a graphics card that is too small", { ...plain, graphics: 4e9 }, 8, qwen, 15],
  ["a small chip with shared memory", { ram: 17.2e9, graphics: 11e9, isShared: true }, 8, qwen, 20],
  ["a chip with 32 GiB of shared memory", { ram: 34.4e9, graphics: 22e9, isShared: true }, 8, qwen, 30],
  ["a chip with 36 GiB of shared memory", { ram: 38.7e9, graphics: 27e9, isShared: true }, 8, qwen, 45],
  ["a large chip with shared memory", { ram: 64e9, graphics: 45e9, isShared: true }, 12, qwen, 75],
])("the speed follows the memory: %s", (_name, memory, threads, model, tokensPerSecond) => {
  const estimate = estimateSetup(model, { ...facts, memory, threads });
  expect(estimate).toMatchObject({ tokensPerSecond, isMeasured: false });
});
