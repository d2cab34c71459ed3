import { expect, test } from "vitest";
import { isSameModelName } from "./model-names";

test.each([
  ["qwen3", "qwen3:latest", true],
  ["qwen3:latest", "qwen3", true],
  ["qwen3", "qwen3", true],
  ["qwen3:8b", "qwen3:8b", true],
  ["qwen3", "qwen3:8b", false],
  ["localhost:5000/qwen3", "localhost:5000/qwen3:latest", true],
  ["localhost:5000/qwen3", "localhost:5000/llama3", false],
])("%s and %s name one model: %s", (one, other, isSame) => {
  expect(isSameModelName(one, other)).toBe(isSame);
});
