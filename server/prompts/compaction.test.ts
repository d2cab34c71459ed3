import { describe, expect, test } from "vitest";
import { compactionText } from "./compaction";

describe("the words of a compaction", () => {
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
  ] as const)("%s are there, with their values in place", (name, values) => {
    const text = compactionText(name, values);
    expect(text.length).toBeGreaterThan(5);
    expect(text).not.toMatch(/[{}]|^#/m);
    for (const value of Object.values(values)) expect(text).toContain(String(value));
  });

  test("the summary has the four parts", () => {
    expect(compactionText("ask", { words: 1 }).match(/^[1-4]\. /gm)).toHaveLength(4);
  });

  test("a section that is not there is an error, a value that looks like a pattern is itself", () => {
    expect(() => compactionText("nothing")).toThrow(/nothing/);
    expect(compactionText("focus", { focus: "$& and {{words}}" })).toContain("$& and {{words}}");
  });
});
