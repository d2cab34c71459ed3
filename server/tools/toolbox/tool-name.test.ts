import { describe, expect, test } from "vitest";
import { computeHash } from "@/server/base/id";
import { nameTools, toSourceId } from "./tool-name";

const hashOf = (text: string): string => computeHash(text).slice(0, 6);

test.each([
  ["github", "github"],
  ["GitHub", "github"],
  ["My Server (2)", "my_server_2"],
  ["io.github/owner__name", "io_github_owner_name"],
  ["chrome-devtools", "chrome-devtools"],
  ["_x_", "x"],
  ["文件", `source_${hashOf("文件")}`],
  ["", `source_${hashOf("")}`],
  ["--", `source_${hashOf("--")}`],
  ["ａｂｃ", "abc"],
  ["a".repeat(30), `${"a".repeat(17)}_${hashOf("a".repeat(30))}`],
])("the id of the source %j is %s", (name, id) => {
  expect(toSourceId(name)).toBe(id);
});

describe("the name of a tool", () => {
  test.each([
    ["create_issue", "github__create_issue"],
    ["create.issue/now", "github__create_issue_now"],
    ["createIssue", "github__createIssue"],
    ["get-me", "github__get-me"],
    ["翻译", `github__tool_${hashOf("翻译")}`],
    ["", `github__tool_${hashOf("")}`],
    ["a".repeat(56), `github__${"a".repeat(56)}`],
    ["a".repeat(57), `github__${"a".repeat(49)}_${hashOf("a".repeat(57))}`],
  ])("%j is %s", (tool, name) => {
    expect(nameTools("github", [tool])).toEqual([name]);
    expect(name.length).toBeLessThanOrEqual(64);
  });

  test("has a hash if another tool's would be the same, in any order", () => {
    const names = { "a.b": `s__a_b_${hashOf("a.b")}`, "a/b": `s__a_b_${hashOf("a/b")}`, c: "s__c" };
    expect(nameTools("s", ["a.b", "a/b", "c"])).toEqual([names["a.b"], names["a/b"], names.c]);
    expect(nameTools("s", ["c", "a/b", "a.b"])).toEqual([names.c, names["a/b"], names["a.b"]]);
  });

  test("has a hash if it is the name of another tool with its hash", () => {
    const imitation = `a_b_${hashOf("a.b")}`;
    const names = nameTools("s", ["a.b", "a/b", imitation]);
    expect(new Set(names).size).toBe(3);
  });

  test("of one tool that is listed twice is the same", () => {
    expect(nameTools("s", ["a", "a"])).toEqual(["s__a", "s__a"]);
  });
});
