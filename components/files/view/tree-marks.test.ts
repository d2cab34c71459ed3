import { expect, test } from "vitest";
import { buildTreeMarks } from "./tree-marks";

const marks = buildTreeMarks([
  { path: "src/a.ts", mark: "modified" },
  { path: "src/deep/new.ts", mark: "added" },
  { path: "src/deep/gone.ts", mark: "deleted" },
  { path: "top.ts", mark: "conflicted" },
  { path: "fresh", mark: "untracked" },
  { path: "lib/fresh.ts", mark: "untracked" },
]);

test.each([
  ["src/a.ts", "modified"],
  ["src/b.ts", null],
  ["top.ts", "conflicted"],
  ["fresh/deep/file.ts", "untracked"],
  ["fresher/file.ts", null],
])("the file %s is %s", (path, mark) => {
  expect(marks.ofFile(path)).toBe(mark);
});

test.each([
  ["src", "modified"],
  ["src/deep", "deleted"],
  ["lib", "untracked"],
  ["fresh", "untracked"],
  ["fresh/deep", "untracked"],
  ["other", null],
])("the folder %s shows %s", (path, mark) => {
  expect(marks.ofFolder(path)).toBe(mark);
});
