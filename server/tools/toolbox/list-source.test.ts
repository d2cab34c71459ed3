import { describe, expect, test } from "vitest";
import { describeSource } from "./list-source";
import { commonCatalogue, makeTestCatalogue } from "./test-catalogue";

test("a source has its instructions and a line for each tool", () => {
  expect(describeSource(commonCatalogue, "github", 1)).toBe(`github has 3 tools.
Search before you create.
- github__create_issue: Create an issue in a repository
- github__delete_repo (switched off)
- github__list_issues: List the issues of a repository`);
  expect(describeSource(commonCatalogue, "skill", 1)).toBe("skill has 1 tool.\n- skill:pdf: Fill in PDF forms");
});

test("tools that cannot be called have the reason", () => {
  const catalogue = makeTestCatalogue({
    a: [
      { name: "a__1", obstacle: { kind: "changed" } },
      { name: "a__2", obstacle: { kind: "gone" } },
      { name: "a__3", obstacle: { kind: "unusable", detail: "its definition has 70 KB; at most 64 KB are read" } },
    ],
  });
  expect(describeSource(catalogue, "a", 1)).toBe(`a has 3 tools.
- a__1 (changed, not approved)
- a__2 (not offered any more)
- a__3 (cannot be used: its definition has 70 KB; at most 64 KB are read)`);
});

describe("a source with many tools", () => {
  const catalogue = makeTestCatalogue(
    { big: Array.from({ length: 65 }, (_, index) => ({ name: `big__tool_${String(index).padStart(2, "0")}` })) },
    { big: "Use it well." },
  );

  test.each([
    [1, 1, "00", "29", '\nnext page: {"tool":"big","input":{"page":2}}'],
    [2, 2, "30", "59", '\nnext page: {"tool":"big","input":{"page":3}}'],
    [3, 3, "60", "64", ""],
    [9, 3, "60", "64", ""],
    [0, 1, "00", "29", '\nnext page: {"tool":"big","input":{"page":2}}'],
    [1.5, 1, "00", "29", '\nnext page: {"tool":"big","input":{"page":2}}'],
  ])("has page %d as page %i", (page, shown, first, last, end) => {
    const instructions = shown === 1 ? "Use it well.\n" : "";
    const text = describeSource(catalogue, "big", page);
    expect(
      text.startsWith(`big has 65 tools; this is page ${shown} of 3.\n${instructions}- big__tool_${first}\n`),
    ).toBe(true);
    expect(text.endsWith(`\n- big__tool_${last}${end}`)).toBe(true);
  });
});

test("long instructions are cut, and have no invisible characters", () => {
  const catalogue = makeTestCatalogue(
    { a: [{ name: "a__1" }] },
    { a: `one\u202e\n\n\n\ntwo\u0007 ${"word ".repeat(1_000)}` },
  );
  const text = describeSource(catalogue, "a", 1);
  expect(text.startsWith("a has 1 tool.\none\n\ntwo word word")).toBe(true);
  expect(text.length).toBeLessThan(2_100);
  expect(text).toMatch(/word…\n- a__1$/);
});
