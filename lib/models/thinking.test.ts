import { describe, expect, test } from "vitest";
import { thinkChoices } from "./thinking";

const thinks = { name: "qwen3:8b", capabilities: ["completion", "thinking"] };

describe("the available thinking levels", () => {
  test.each([
    ["0.32.0", true],
    ["0.21.3", true],
    ["1.0.0", true],
    ["0.21.3-rc1", true],
    ["0.0.0", true],
    [undefined, true],
    ["0.21.2", false],
    ["0.9.6", false],
  ])("Ollama %s supports the level max: %s", (version, isSupported) => {
    expect(thinkChoices(thinks, version).includes("max")).toBe(isSupported);
    expect(thinkChoices(thinks, version).slice(0, 5)).toEqual([false, true, "low", "medium", "high"]);
  });

  test("gpt-oss has levels only, a model without thinking none, one without reported capabilities all", () => {
    expect(thinkChoices({ name: "gpt-oss:20b", capabilities: ["thinking"] }, "0.32.0")).toEqual([
      "low",
      "medium",
      "high",
    ]);
    expect(thinkChoices({ name: "x", family: "gptoss", capabilities: [] }, undefined)).toEqual([
      "low",
      "medium",
      "high",
    ]);
    expect(thinkChoices({ name: "llama", capabilities: ["completion"] }, "0.32.0")).toEqual([]);
    expect(thinkChoices({ name: "any", capabilities: [] }, undefined)).toHaveLength(6);
  });
});
