import { expect, test } from "vitest";
import { readDeviceList } from "./engine-memory";

test.each([
  ["Available devices:\n", 0],
  ["Available devices:\n  (none)\n", 0],
  ["Available devices:\n  Vulkan0: NVIDIA GeForce RTX 3060 (12288 MiB, 11500 MiB free)\n", 12_288],
  [
    "load_backend: x\nAvailable devices:\n  MTL0: Apple M1 (10922 MiB, 10922 MiB free)\n  BLAS: Accelerate (0 MiB, 0 MiB free)\n",
    10_922,
  ],
  ["Available devices:\n  CUDA0: A (B) (8192 MiB, 1 MiB free)\n  CUDA1: A (24576 MiB, 1 MiB free)\n", 24_576],
])("%j has %i MiB of graphics memory", (text, mebibytes) => {
  expect(readDeviceList(text)).toBe(mebibytes * 1_048_576);
});
