import { expect, test } from "vitest";
import { makePathFilter } from "./path-filter";

const paths = ["a.ts", "src/a.ts", "src/b.tsx", "lib/src/c.ts", "docs/d.md", "src.md", "my lib/e.js"];

test.each([
  ["", "", paths],
  ["src", "", ["src/a.ts", "src/b.tsx", "lib/src/c.ts"]],
  ["src/", "", ["src/a.ts", "src/b.tsx", "lib/src/c.ts"]],
  ["./src", "", ["src/a.ts", "src/b.tsx"]],
  ["/src", "", ["src/a.ts", "src/b.tsx"]],
  ["src/**", "", ["src/a.ts", "src/b.tsx", "lib/src/c.ts"]],
  ["*.ts", "", ["a.ts", "src/a.ts", "lib/src/c.ts"]],
  ["./*.ts", "", ["a.ts"]],
  ["*.md, my lib", "", ["docs/d.md", "src.md", "my lib/e.js"]],
  ["*.{ts,tsx}", "", ["a.ts", "src/a.ts", "src/b.tsx", "lib/src/c.ts"]],
  ["lib/src", "", ["lib/src/c.ts"]],
  [" , ,", "", paths],
  [".", "", paths],
  ["", "src,*.md", ["a.ts", "my lib/e.js"]],
  ["*.ts", "src", ["a.ts"]],
  ["!src", "", []],
])("include %j, exclude %j", (include, exclude, expected) => {
  expect(paths.filter(makePathFilter(include, exclude))).toEqual(expected);
});
