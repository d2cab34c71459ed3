import { expect, test } from "vitest";
import { findServedBy } from "./served-by";

test.each([
  [{ "x-served-by": "gpu-2" }, "gpu-2"],
  [{ "x-litellm-model-id": "a1b2", "x-served-by": " " }, "a1b2"],
  [{ "x-served-by": "h1", "x-litellm-model-id": "a1b2" }, "h1"],
  [{ "x-served-by": `h1\u0007\u202e ${"x".repeat(200)}` }, `h1 ${"x".repeat(77)}`],
  [{}, undefined],
])("%j is %s", (headers: Readonly<Record<string, string>>, name) => {
  expect(findServedBy({ header: (header) => headers[header] })).toBe(name);
});
