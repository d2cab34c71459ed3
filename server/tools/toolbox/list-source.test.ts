import { describe, expect, test } from "vitest";
import { fitText, resultShareTokens } from "@/server/agent/tools/fit-result";
import { windowResultLimits, windowShareTokens } from "../core/window-share";
import { describeSource } from "./list-source";
import { commonCatalogue, makeTestCatalogue } from "./test-catalogue";

/** Tokens of a result that has room for every page. */
const wide = 4_000;

test("a source has its instructions and a line for each tool", () => {
  expect(describeSource(commonCatalogue, "github", 1, wide)).toBe(`github has 3 tools.
Search before you create.
- github__create_issue: Create an issue in a repository
- github__delete_repo (switched off)
- github__list_issues: List the issues of a repository`);
  expect(describeSource(commonCatalogue, "skill", 1, wide)).toBe("skill has 1 tool.\n- skill:pdf: Fill in PDF forms");
});

test("tools that cannot be called have the reason", () => {
  const catalogue = makeTestCatalogue({
    a: [
      { name: "a__1", obstacle: { kind: "changed" } },
      { name: "a__2", obstacle: { kind: "gone" } },
      { name: "a__3", obstacle: { kind: "unusable", detail: "its definition has 70 KB; at most 64 KB are read" } },
    ],
  });
  expect(describeSource(catalogue, "a", 1, wide)).toBe(`a has 3 tools.
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
    [1, 1, "00", "29", '; next page: {"tool":"big","input":{"page":2}}'],
    [2, 2, "30", "59", '; next page: {"tool":"big","input":{"page":3}}'],
    [3, 3, "60", "64", "."],
    [9, 3, "60", "64", "."],
    [0, 1, "00", "29", '; next page: {"tool":"big","input":{"page":2}}'],
    [1.5, 1, "00", "29", '; next page: {"tool":"big","input":{"page":2}}'],
  ])("has page %d as page %i", (page, shown, first, last, next) => {
    const instructions = shown === 1 ? "Use it well.\n" : "";
    const text = describeSource(catalogue, "big", page, wide);
    expect(
      text.startsWith(`big has 65 tools; this is page ${shown} of 3${next}\n${instructions}- big__tool_${first}\n`),
    ).toBe(true);
    expect(text.endsWith(`\n- big__tool_${last}`)).toBe(true);
  });
});

test("long instructions are cut, and have no invisible characters", () => {
  const catalogue = makeTestCatalogue(
    { a: [{ name: "a__1" }] },
    { a: `one\u202e\n\n\n\ntwo\u0007 ${"word ".repeat(1_000)}` },
  );
  const text = describeSource(catalogue, "a", 1, wide);
  expect(text.startsWith("a has 1 tool.\none\n\ntwo word word")).toBe(true);
  expect(text.length).toBeLessThan(2_100);
  expect(text).toMatch(/word…\n- a__1$/);
});

describe("in a small window", () => {
  const english = {
    sentence: "Work with the issues of a repository and read what it says about them",
    about: "Read the guide. ",
  };
  const chinese = {
    sentence: "处理仓库里的议题，读取其中的内容，并按需要修改标题、正文和标签，再把结果返回给调用者",
    about: "先读说明。",
  };
  const sourceOf = ({ sentence, about }: typeof english) =>
    makeTestCatalogue(
      {
        github: Array.from({ length: 30 }, (_, index) => ({
          name: `github__work_with_issues_${String(index).padStart(2, "0")}`,
          description: sentence,
        })),
      },
      { github: about.repeat(500) },
    );

  test.each([
    ["2k", 2_048, english],
    ["4k", 4_096, english],
    ["8k", 8_192, english],
    ["64k", 65_536, english],
    ["2k, in Chinese", 2_048, chinese],
    ["4k, in Chinese", 4_096, chinese],
    ["64k, in Chinese", 65_536, chinese],
  ])("of %s every page fits the result, and together they have every tool", (_size, window, texts) => {
    const catalogue = sourceOf(texts);
    const tools: string[] = [];
    for (let page = 1; ; page += 1) {
      const text = describeSource(catalogue, "github", page, windowShareTokens(window));
      expect(fitText(text, windowResultLimits, resultShareTokens(window, 1)).text).toBe(text);
      tools.push(...(text.match(/github__work_with_issues_\d\d/g) ?? []));
      const [head = ""] = text.split("\n");
      if (!head.includes("next page")) break;
      expect(head).toContain(JSON.stringify({ tool: "github", input: { page: page + 1 } }));
    }
    expect(tools).toEqual(catalogue.tools.map(({ name }) => name));
  });

  test("the instructions are shortened for the tools, not left out", () => {
    const catalogue = sourceOf(english);
    const aboutOf = (window: number) =>
      describeSource(catalogue, "github", 1, windowShareTokens(window)).split("\n")[1]?.length ?? 0;
    expect(aboutOf(4_096)).toBeGreaterThan(100);
    expect(aboutOf(4_096)).toBeLessThan(aboutOf(16_384));
    expect(aboutOf(65_536)).toBeGreaterThan(2_000);
  });
});
