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
  expect(readDeviceList(text, null)).toBe(mebibytes * 1_048_576);
});

const integrated = "Available devices:\n  Vulkan0: Intel(R) Iris(R) Xe Graphics (12000 MiB, 11000 MiB free)\n";
const both = `${integrated}  Vulkan1: NVIDIA GeForce RTX 3060 (12288 MiB, 11500 MiB free)\n`;

test.each([
  ["none beside the system's", integrated, 0, 0],
  ["512 MiB set aside for it", integrated, 512, 512],
  ["that of a card beside it", both, 12_288, 12_288],
])("a graphics unit inside the processor has %s", (_title, text, own, mebibytes) => {
  expect(readDeviceList(text, own * 1_048_576)).toBe(mebibytes * 1_048_576);
});
