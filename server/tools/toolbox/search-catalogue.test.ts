import { describe, expect, test } from "vitest";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { measureCpuMs } from "@/lib/testing/test-cpu";
import { findTools, searchCatalogue } from "./search-catalogue";
import { commonCatalogue, makeTestCatalogue, type TestTool } from "./test-catalogue";

const catalogue = makeTestCatalogue({
  files: [
    { name: "files__readTextFile", description: "Returns the content of a file." },
    { name: "files__write", description: "Writes a text." },
    { name: "files__off", description: "Reads text too.", obstacle: { kind: "off" } },
  ],
  github: [
    { name: "github__create_issue", description: "Opens a new ticket." },
    { name: "github__list_issues", description: "Lists tickets of a repository." },
    { name: "github__create_pull_request", description: "Proposes a change. Mentions the issue it closes." },
  ],
  web: [
    { name: "web__translate", description: "把文本翻译成中文。" },
    { name: "web__weather", description: "查询城市的天气预报。" },
  ],
});

const names = (query: string): readonly string[] => findTools(catalogue, query, 8).map(({ name }) => name);

describe("a search finds", () => {
  test.each<readonly [what: string, query: string, first: string]>([
    ["a word of a name", "issue", "github__create_issue"],
    ["several words of a name", "list issues", "github__list_issues"],
    ["a part of an identifier", "text file", "files__readTextFile"],
    ["a whole identifier", "createIssue", "github__create_issue"],
    ["a name as it is", "github__create_pull_request", "github__create_pull_request"],
    ["the start of a word", "transl", "web__translate"],
    ["a word of a description", "ticket", "github__create_issue"],
    ["a plural of a word", "weathers", "web__weather"],
    ["a word in another case", "WEATHER", "web__weather"],
    ["a Chinese word", "天气", "web__weather"],
    ["a Chinese sentence", "请翻译这段文本", "web__translate"],
    ["one Chinese character", "译", "web__translate"],
  ])("%s: %s", (_what, query, first) => {
    expect(names(query)[0]).toBe(first);
  });

  test("words of names before words of descriptions", () => {
    expect(names("issue")).toEqual(["github__create_issue", "github__list_issues", "github__create_pull_request"]);
  });

  test("only tools that can be called", () => {
    expect(names("off")).toEqual([]);
  });

  test("nothing for words without letters", () => {
    expect(names("?! --")).toEqual([]);
  });
});

test("the answer has signatures and sentences, best first", () => {
  expect(searchCatalogue(commonCatalogue, "issue")).toBe(
    `Call a tool with toolbox {"tool": NAME, "input": {...}}. Best first:
- github__create_issue(owner, repo, title, body?, labels?: [text]): Create an issue in a repository
- github__list_issues(state?: "open" | "closed", page?: number): List the issues of a repository`,
  );
});

test("the answer without a hit has the sources and how to list one", () => {
  expect(searchCatalogue(commonCatalogue, "bluetooth\nspeaker")).toBe(
    'No tool matches "bluetooth speaker". The sources are: filesystem 3, github 2, skill 1. List the tools of one with toolbox {"tool":"filesystem"}.',
  );
  expect(searchCatalogue(makeTestCatalogue({}), "x")).toBe('No tool matches "x". No other tools are connected.');
});

test("at most eight tools in at most 300 tokens are in an answer", () => {
  const long: TestTool["properties"] = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`longParameter${index}`, { type: "integer" }]),
  );
  const tools = Array.from({ length: 20 }, (_, index) => ({
    name: `source__find_things_${index}`,
    description: "Finds things of every kind, in places that are far away, if they exist at all. More.",
    properties: long,
  }));
  const text = searchCatalogue(makeTestCatalogue({ source: tools }), "find things");
  expect(estimateTokens(text)).toBeLessThanOrEqual(300);
  expect(text.match(/^- source__find_things_\d+/gm)?.length).toBe(8);
  expect(text).toContain("- source__find_things_0(longParameter0?: number");
});

test("many sources do not make the answer without a hit long", () => {
  const sources = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`source-number-${index}`, [{ name: `source-number-${index}__x` }]]),
  );
  const text = searchCatalogue(makeTestCatalogue(sources), "nothing of this");
  expect(estimateTokens(text)).toBeLessThanOrEqual(300);
  expect(text).toMatch(/and \d+ more sources/);
});

test("a search over 2,000 tools takes little time", () => {
  const words = "create read update delete list issue file page branch user team comment label commit release".split(
    " ",
  );
  const word = (index: number): string => words[index % words.length] ?? "";
  const many = makeTestCatalogue({
    big: Array.from({ length: 2_000 }, (_, index) => ({
      name: `big__${word(index)}_${word(index * 7 + 3)}_${index}`,
      description:
        `${word(index * 5)} a ${word(index * 11)} of the ${word(index * 13)} with ${word(index * 3)}. `.repeat(5),
    })),
  });
  const search = (): unknown => searchCatalogue(many, "create the issue of a release");
  search();
  expect(measureCpuMs(() => Array.from({ length: 10 }, search))).toBeLessThan(200);
});
