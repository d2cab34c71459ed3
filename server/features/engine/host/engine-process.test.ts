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

test("a model without a projector is read in smaller batches", () => {
  const started = engineArguments(load, 8_080, options);
  expect(started).not.toContain("--mmproj");
  expect(Number(valueAfter(started, "--batch-size"))).toBeLessThanOrEqual(256);
});
