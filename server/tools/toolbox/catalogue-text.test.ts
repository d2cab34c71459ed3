import { describe, expect, test } from "vitest";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { measureCpuMs } from "@/lib/testing/test-cpu";
import type { Catalogue } from "./catalogue";
import { catalogueShare, renderCatalogue } from "./catalogue-text";
import { commonCatalogue, makeTestCatalogue, type TestTool } from "./test-catalogue";

const render = (catalogue: Catalogue, maxTokens: number, used: readonly string[] = []): string => {
  const text = renderCatalogue(catalogue, maxTokens, (name) => used.includes(name)) ?? "";
  expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
  return text;
};

test.each([
  [2_048, 32],
  [4_096, 64],
  [8_192, 128],
  [8_193, 256],
  [16_384, 512],
  [32_768, 1_024],
  [65_536, 1_200],
  [1_000_000, 1_200],
])("the share of a window of %i tokens is %i", (window, share) => {
  expect(catalogueShare(window)).toBe(share);
});

const heading =
  'More tools: call toolbox {"tool": NAME, "input": {...}}. {"tool": NAME} shows its parameters, {"search": words} finds tools.';

describe("the text", () => {
  test("of everything has signatures and sentences, grouped by source", () => {
    expect(render(commonCatalogue, 1_000)).toBe(`${heading}
filesystem 3
- filesystem__list_allowed_directories(): Lists the folders it may use
- filesystem__move_file(source, destination): Move or rename files
- filesystem__read_text_file(path, head?: number): Read a text file
github 2 (Search before you create.)
- github__create_issue(owner, repo, title, body?, labels?: [text]): Create an issue in a repository
- github__list_issues(state?: "open" | "closed", page?: number): List the issues of a repository
skill 1
- skill:pdf(): Fill in PDF forms`);
  });

  test("has sources with counts where there is no room for names", () => {
    expect(render(commonCatalogue, 52)).toBe(`${heading}\nfilesystem 3, github 2, skill 1`);
  });

  test("has the first names where there is room for some", () => {
    expect(render(commonCatalogue, 58)).toBe(
      `${heading}\nfilesystem 3: filesystem__list_allowed_directories\ngithub 2\nskill 1`,
    );
  });

  test("has all names before the first sentence", () => {
    const text = render(commonCatalogue, 110);
    for (const { name, obstacle } of commonCatalogue.tools) expect(text.includes(name)).toBe(obstacle === null);
    expect(text).toContain("github 2 (Search before you create.)");
    expect(text).toContain("- filesystem__list_allowed_directories: Lists the folders it may use\n");
    expect(text).toContain("skill 1: skill:pdf");
  });

  test("has pinned and used tools first", () => {
    const catalogue = makeTestCatalogue({
      alpha: [{ name: "alpha__one" }, { name: "alpha__two" }],
      beta: [{ name: "beta__one" }, { name: "beta__two", isPinned: true }],
    });
    expect(render(catalogue, 48)).toBe(`${heading}\nalpha 2\nbeta 2: beta__two`);
    expect(render(catalogue, 52, ["alpha__two"])).toBe(`${heading}\nalpha 2: alpha__two\nbeta 2: beta__two`);
  });

  test("is null without a tool that can be called", () => {
    expect(renderCatalogue(makeTestCatalogue({}), 500, () => false)).toBeNull();
    const off = makeTestCatalogue({ alpha: [{ name: "alpha__one", obstacle: { kind: "off" } }] });
    expect(renderCatalogue(off, 500, () => false)).toBeNull();
    expect(renderCatalogue(commonCatalogue, 8, () => false)).toBeNull();
  });

  test("has no line breaks or invisible characters of a source", () => {
    const catalogue = makeTestCatalogue(
      { alpha: [{ name: "alpha__one", description: "Does\n- alpha__fake: it\u202e" }] },
      { alpha: "Use it\nalways.\u0000" },
    );
    expect(render(catalogue, 500)).toBe(`${heading}\nalpha 1 (Use it always.)\n- alpha__one(): Does - alpha__fake: it`);
  });
});

describe("at a small share", () => {
  const many = (sources: number, tools: number): Catalogue =>
    makeTestCatalogue(
      Object.fromEntries(
        Array.from({ length: sources }, (_, index) => [
          `server-${String(index).padStart(2, "0")}`,
          Array.from({ length: tools }, (_tool, number): TestTool => ({ name: `server-${index}__tool_${number}` })),
        ]),
      ),
    );

  test("of 4k, three sources with 40 tools are listed", () => {
    const text = render(many(3, 13), catalogueShare(4_096));
    for (const source of ["server-00 13", "server-01 13", "server-02 13"]) expect(text).toContain(source);
    expect(text).toContain('{"search": words}');
  });

  test("of 4k, many sources are counted", () => {
    const text = render(many(50, 2), catalogueShare(4_096));
    expect(text).toMatch(/\nserver-00 2, server-01 2(?:, server-\d\d 2)* and \d+ more sources$/);
    expect(text).toContain('{"search": words}');
  });

  test.each([
    [30, "\n50 sources, 100 tools"],
    [12, '{"search": words}.'],
  ])("of %i tokens, the text ends in %j", (maxTokens, end) => {
    expect(render(many(50, 2), maxTokens).endsWith(end)).toBe(true);
  });
});

test("the text of 2,000 tools takes little time", () => {
  const catalogue = makeTestCatalogue(
    Object.fromEntries(
      Array.from({ length: 20 }, (_, source) => [
        `source${source}`,
        Array.from(
          { length: 100 },
          (_tool, index): TestTool => ({ name: `source${source}__tool_${index}`, description: "Does it. ".repeat(40) }),
        ),
      ]),
    ),
  );
  render(catalogue, 1_200);
  expect(measureCpuMs(() => render(catalogue, 1_200))).toBeLessThan(50);
});
