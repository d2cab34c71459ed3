import { expect, test } from "vitest";
import { resolveAddress } from "./project-path";

test.each([
  ["docs", "a.md", "docs/a.md"],
  ["docs", "./b/../a.md", "docs/a.md"],
  ["docs/user", "../../src//a.ts", "src/a.ts"],
  ["docs", "/src/a.ts", "src/a.ts"],
  ["", "a.md", "a.md"],
  ["docs", "../../a.md", null],
  ["", "../a.md", null],
  ["docs", "..", null],
])("in %j the address %j is %j", (folder, address, path) => {
  expect(resolveAddress(folder, address)).toBe(path);
});
