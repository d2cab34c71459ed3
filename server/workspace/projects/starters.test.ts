import { expect, test } from "vitest";
import { selectStarters } from "./starters";

test.each<[what: string, names: readonly string[], starters: readonly string[]]>([
  ["an empty folder", [], ["new"]],
  ["a folder with hidden files only", [".git", ".env"], ["new"]],
  ["documents only", ["notes.md", "plan.txt"], ["summarize", "proofread"]],
  ["a docs folder", ["docs", "images"], ["summarize", "proofread"]],
  ["neither code nor documents", ["photo.png"], ["explain"]],
  ["code without tests or README", ["main.py"], ["explain", "write_tests", "readme"]],
  ["code with tests, no README", ["package.json", "src", "test"], ["explain", "tests", "readme"]],
  ["tests beside the code", ["go.mod", "main.go", "main_test.go", "README.md"], ["explain", "tests", "tidy"]],
  ["a package with README, no git", ["package.json", "README.md", "index.js"], ["explain", "write_tests", "types"]],
  ["a package named as the project", [".git", "shop", "tests", "README.md", "docs"], ["explain", "tests", "review"]],
  ["requirements of a program", ["requirements.txt", "shop", "README.md"], ["explain", "write_tests", "tidy"]],
  ["a repository with everything", [".git", "src", "tests", "README.md"], ["explain", "tests", "review"]],
])("%s", (_what, names, starters) => {
  expect(selectStarters(names, names.includes(".git"))).toEqual(starters);
});

test("a repository without commits has no last commit to review", () => {
  expect(selectStarters([".git", "src", "tests", "README.md"], false)).toEqual(["explain", "tests", "tidy"]);
});
