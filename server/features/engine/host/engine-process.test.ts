/** Tests of the arguments of the engine's process. */
import { expect, test } from "vitest";
import { engineArguments } from "./engine-process";

const options = { program: { program: "x", arguments: [] }, memoryBytes: 2 ** 33 };
const load = { model: "tiny", file: "/models/tiny.gguf", window: 4_096 };
const valueAfter = (list: readonly string[], option: string): string | undefined => list[list.indexOf(option) + 1];

test("with a projector an image of 280 tokens, the most of a Gemma 4, fits into one batch", () => {
  const started = engineArguments({ ...load, projector: "/models/mmproj.gguf" }, 8_080, options);
  expect(valueAfter(started, "--mmproj")).toBe("/models/mmproj.gguf");
  for (const option of ["--batch-size", "--ubatch-size"])
    expect(Number(valueAfter(started, option))).toBeGreaterThanOrEqual(280);
});

test.each([
  [4, 0],
  [8, 0],
  [12, 953],
  [16, 1_907],
  [32, 3_814],
  [128, 8_192],
])("with %i GB of memory the prompts of other conversations have %i MiB", (gigabytes, mebibytes) => {
  const started = engineArguments(load, 8_080, { ...options, memoryBytes: gigabytes * 1e9 });
  expect(valueAfter(started, "--cache-ram")).toBe(`${mebibytes}`);
});

test("a model without a projector is read in smaller batches", () => {
  const started = engineArguments(load, 8_080, options);
  expect(started).not.toContain("--mmproj");
  expect(Number(valueAfter(started, "--batch-size"))).toBeLessThanOrEqual(256);
});
