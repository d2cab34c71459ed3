import { describe, expect, test } from "vitest";
import { makeGlob } from "./glob";

describe("makeGlob", () => {
  test.each([
    ["*.ts", ["a.ts", "src/deep/a.ts", ".ts"], ["a.tsx", "a.ts/b"]],
    ["src/*.ts", ["src/a.ts"], ["src/x/a.ts", "lib/src/a.ts"]],
    ["/a.ts", ["a.ts"], ["src/a.ts"]],
    ["./src/**", ["src/a", "src/x/y"], ["lib/a"]],
    ["**/*.test.ts", ["a.test.ts", "x/y/a.test.ts"], ["a.ts"]],
    ["src/**/a.ts", ["src/a.ts", "src/x/y/a.ts"], ["a.ts", "src/x/b.ts"]],
    ["**", ["a", "a/b/c"], []],
    ["*.{ts,tsx}", ["a.ts", "x/a.tsx"], ["a.js"]],
    ["{src,lib}/**/*.{t,j}s", ["src/a.ts", "lib/x/a.js"], ["e2e/a.ts"]],
    ["a{b,{c,d}}e", ["abe", "ace", "ade"], ["ae", "abce"]],
    ["{a}", ["{a}"], ["a"]],
    ["a{b", ["a{b"], ["ab"]],
    ["file?.txt", ["file1.txt", "file日.txt", "file😀.txt"], ["file.txt", "file12.txt"]],
    ["[a-c]1", ["a1", "c1"], ["d1"]],
    ["[!a-c]1", ["d1"], ["a1"]],
    ["[]]x", ["]x"], ["x"]],
    ["[id].tsx", ["i.tsx", "d.tsx"], ["[id].tsx"]],
    ["\\[id\\].tsx", ["[id].tsx"], ["i.tsx"]],
    ["[open", ["[open"], ["o"]],
    ["docs/", ["docs/a", "docs/x/y"], ["docs.md"]],
    ["!*.test.ts", ["a.ts"], ["a.test.ts"]],
    ["README", ["README", "x/README"], ["README.md", "readme"]],
  ])("%s", (pattern, matching, others) => {
    const glob = makeGlob(pattern);
    expect(matching.filter((path) => !glob(path))).toEqual([]);
    expect(others.filter(glob)).toEqual([]);
  });

  test("patterns with many stars match without exponential backtracking", () => {
    expect(makeGlob(`${"*a".repeat(60)}b`)("a".repeat(250))).toBe(false);
    expect(makeGlob(`${"**/a/".repeat(40)}b`)(Array(200).fill("a").join("/"))).toBe(false);
    expect(makeGlob("{a,b}".repeat(40))("c")).toBe(false);
  });
});
