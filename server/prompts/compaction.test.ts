import { describe, expect, test } from "vitest";
import { compactionText } from "./compaction";

describe("compactionText", () => {
  test.each([
    ["ask", { words: 400 }],
    ["focus", { focus: "the tests" }],
    ["head", {}],
    ["original", {}],
    ["newest", {}],
    ["files", {}],
    ["more", { count: 7 }],
    ["todo", {}],
    ["summary", {}],
    ["cut", {}],
    ["mechanical", { steps: 12 }],
    ["commands", {}],
    ["failures", {}],
    ["said", {}],
    ["earlier", {}],
    ["guard", { why: "it went round." }],
    ["loop_detected", { times: 3, call: "read a.ts" }],
    ["loop_period", { times: 3, period: 2, call: "read a.ts" }],
    ["repeated_text", {}],
    ["think_limit", {}],
  ] as const)("section %s exists, with its values inserted", (name, values) => {
    const text = compactionText(name, values);
    expect(text.length).toBeGreaterThan(5);
    expect(text).not.toMatch(/[{}]|^#/m);
    for (const value of Object.values(values)) expect(text).toContain(String(value));
  });

  test("the request for the summary has four parts", () => {
    expect(compactionText("ask", { words: 1 }).match(/^[1-4]\. /gm)).toHaveLength(4);
  });

  test("a missing section throws, replacement patterns in values are literal", () => {
    expect(() => compactionText("nothing")).toThrow(/nothing/);
    expect(compactionText("focus", { focus: "$& and {{words}}" })).toContain("$& and {{words}}");
  });
});
