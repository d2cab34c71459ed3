import { expect, test } from "vitest";
import { folderOfRow, movablePaths } from "./drop-targets";

test.each([
  [{ path: "src", kind: "folder" } as const, "src"],
  [{ path: "src/a.ts", kind: "file" } as const, "src"],
  [{ path: "src/link", kind: "link" } as const, "src"],
  [{ path: "a.ts", kind: "file" } as const, ""],
  [undefined, ""],
])("a drop on %j goes into %j", (row, folder) => {
  expect(folderOfRow(row)).toBe(folder);
});

test.each([
  [["a.ts"], "src", ["a.ts"]],
  [["src/a.ts"], "src", []],
  [["src/a.ts", "b.ts"], "src", ["b.ts"]],
  [["src"], "src", []],
  [["src"], "src/deep", []],
  [["b.ts", "src"], "src/deep", []],
  [["src"], "src2", ["src"]],
  [["src/deep"], "", ["src/deep"]],
  [["a.ts"], "", []],
])("of %j, a move into %j changes %j", (paths, folder, expected) => {
  expect(movablePaths(paths, folder)).toEqual(expected);
});
