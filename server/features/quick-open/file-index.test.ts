import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzyMatch, parseFuzzyQuery, toFuzzyText } from "@/lib/text/fuzzy-match";
import { createFileIndex } from "./file-index";

function indexOf(paths: readonly string[]) {
  const index = createFileIndex();
  for (const path of paths) index.add(path);
  return index;
}

test.each([
  ["the name before folders", "menu", ["ui/menu.tsx", "menu/item.tsx", "ui/menu-list.tsx"], "ui/menu.tsx"],
  ["initials", "qo", ["lib/aqoz.ts", "lib/quick-open.ts", "question/origin/x.ts"], "lib/quick-open.ts"],
  ["several terms", "test fold", ["lib/fold.ts", "lib/fold.test.ts", "test/a.ts"], "lib/fold.test.ts"],
  ["a path", "b/x", ["a/x.ts", "b/x.ts", "b/y.ts"], "b/x.ts"],
  ["pinyin initials", "wd", ["docs/文档.md", "docs/word.md"], "docs/文档.md"],
  ["the shorter of two equal matches", "a", ["long/folder/a.ts", "a.ts"], "a.ts"],
])("%s", (_name, typed, paths, best) => {
  expect(indexOf(paths).find(typed, 10)[0]).toBe(best);
});

test("without a text the shortest paths are returned", () => {
  expect(indexOf(["bbb.ts", "a.ts", "c.ts"]).find(" ", 2)).toEqual(["a.ts", "c.ts"]);
});

test("a path is found after the index was searched", () => {
  const index = indexOf(["a.ts"]);
  expect(index.find("b", 5)).toEqual([]);
  index.add("b.ts");
  expect(index.find("b", 5)).toEqual(["b.ts"]);
  expect(index.size()).toBe(2);
});

test("among thousands of weaker matches the best one is first", () => {
  const paths = Array.from({ length: 5_000 }, (_, at) => `x/${String(at)}/s-e-s-s-i-o-n.ts`);
  const index = indexOf([...paths, "deep/in/a/long/folder/of/the/project/session.ts"]);
  expect(index.find("session", 3)[0]).toBe("deep/in/a/long/folder/of/the/project/session.ts");
});

test("a small index returns exactly the paths that match, by score", () => {
  const path = fc.string({ unit: fc.constantFrom(..."abA/.-1文"), minLength: 1, maxLength: 14 });
  const typed = fc.string({ unit: fc.constantFrom(..."ab/ 1w"), maxLength: 5 });
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 40 }), typed, (paths, text) => {
      const query = parseFuzzyQuery(text);
      const score = (one: string): number | undefined => fuzzyMatch(query, toFuzzyText(one))?.score;
      const found = indexOf(paths).find(text, 100);
      expect([...found].sort()).toEqual(paths.filter((one) => score(one) !== undefined).sort());
      const scores = found.map((one) => score(one) ?? 0);
      expect([...scores].sort((a, b) => b - a)).toEqual(scores);
    }),
  );
});
