import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { promptFor } from "./prompts";

// What depends on the tools (the token budget of both together) is tested in tools/registry.test.ts.
describe("promptFor", () => {
  test.each(["small", "default", "full"] as const)(
    "the %s profile has a text without anything that changes",
    (profile) => {
      const { system } = promptFor(profile);
      expect(system.length).toBeGreaterThan(200);
      expect(system).not.toMatch(/\d{4}-\d{2}-\d{2}|\$\{|\{\{|\/home\/|\/root\//);
      expect(promptFor(profile).system).toBe(system);
    },
  );

  test("the small text is less than half of the default one", () => {
    expect(encode(promptFor("small").system).length).toBeLessThan(encode(promptFor("default").system).length / 2);
  });
});
