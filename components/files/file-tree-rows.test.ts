import { describe, expect, test } from "vitest";
import type { FileNode, Folder } from "@/lib/workspace/project-files";
import {
  findRowByPrefix,
  shapeOfFileRow,
  findNameProblem,
  buildFileTreeRows,
  type FileTreeRow,
} from "./file-tree-rows";
import { moveInTree } from "../ui/layout/tree-keys";
import { visibleFolders } from "./use-tree-rows";

const node = (path: string, kind: FileNode["kind"] = "file", ignored = false): FileNode => ({
  name: path.slice(path.lastIndexOf("/") + 1),
  path,
  kind,
  ignored,
});
const folder = (path: string, nodes: readonly FileNode[], total = nodes.length): Folder => ({ path, nodes, total });

const folders = new Map<string, Folder | "failed">([
  [
    "",
    folder("", [
      node("b10.ts"),
      node("b2.ts"),
      node("a", "folder"),
      node("node_modules", "folder", true),
      node(".git", "folder"),
      node("中文.md"),
    ]),
  ],
  ["a", folder("a", [node("a/x.ts")], 3)],
  ["node_modules", folder("node_modules", [node("node_modules/p", "folder")])],
  ["broken", "failed"],
]);
const rows = (...expanded: string[]): readonly FileTreeRow[] =>
  buildFileTreeRows((path) => folders.get(path), new Set(expanded));
const rowLabels = (list: readonly FileTreeRow[]) =>
  list.map((row) => `${" ".repeat(row.depth)}${row.name === "" ? row.kind : row.name}`);

describe("rows", () => {
  test("folders come first, numbers sort numerically, .git is hidden", () => {
    expect(rowLabels(rows())).toEqual(["a", "node_modules", "b2.ts", "b10.ts", "中文.md"]);
  });
  test("an open folder shows its files and the number of unlisted ones", () => {
    expect(rowLabels(rows("a"))).toEqual(["a", " x.ts", " more", "node_modules", "b2.ts", "b10.ts", "中文.md"]);
    expect(rows("a")[2]?.unlistedCount).toBe(2);
  });
  test("entries of an ignored folder are ignored", () => {
    expect(
      rows("node_modules")
        .filter((row) => row.isIgnored)
        .map((row) => row.path),
    ).toEqual(["node_modules", "node_modules/p"]);
  });
  test("files that begin with a dot and ignored files can be left out, with what is in ignored folders", () => {
    const shown = (hidden: Parameters<typeof buildFileTreeRows>[2]) =>
      rowLabels(
        buildFileTreeRows((path) => (path === "" ? dotted : folders.get(path)), new Set(["node_modules"]), hidden),
      );
    const dotted = folder("", [
      node(".env"),
      node("a.ts"),
      node("node_modules", "folder", true),
      node("out.log", "file", true),
    ]);
    expect(shown({ hidesDotFiles: true, hidesIgnored: false })).toEqual(["node_modules", " p", "a.ts", "out.log"]);
    expect(shown({ hidesDotFiles: false, hidesIgnored: true })).toEqual([".env", "a.ts"]);
  });
  test("a folder that is being read is marked as loading", () => {
    expect(rows("node_modules", "node_modules/p").find((row) => row.path === "node_modules/p")?.isLoading).toBe(true);
  });
});

describe("keys", () => {
  const list = rows("a");
  test.each([
    [0, "ArrowDown", { kind: "focus", index: 1 }],
    [0, "ArrowUp", null],
    [6, "ArrowDown", null],
    [0, "ArrowRight", { kind: "focus", index: 1 }],
    [3, "ArrowRight", { kind: "open" }],
    [4, "ArrowRight", null],
    [0, "ArrowLeft", { kind: "close" }],
    [1, "ArrowLeft", { kind: "focus", index: 0 }],
    [4, "ArrowLeft", null],
    [2, "Home", { kind: "focus", index: 0 }],
    [2, "End", { kind: "focus", index: 6 }],
    [0, "x", null],
  ])("at row %d %s does %j", (at, key, move) => {
    expect(moveInTree(list, at, key, shapeOfFileRow)).toEqual(move);
  });
  test("typing finds the next name and wraps around", () => {
    expect(findRowByPrefix(list, 4, "b")).toBe(5);
    expect(findRowByPrefix(list, 5, "b")).toBe(4);
    expect(findRowByPrefix(list, 4, "b2")).toBe(4);
    expect(findRowByPrefix(list, 0, "中")).toBe(6);
    expect(findRowByPrefix(list, 0, "zz")).toBe(-1);
  });
});

test.each([
  ["", "empty"],
  ["  ", "empty"],
  ["a/b", "slash"],
  ["a\\b", "slash"],
  ["..", "dots"],
  ["x.ts", "exists"],
  ["y.ts", null],
  [".env.example", null],
  ["名字", null],
])("the new name %j: %s", (name, problem) => {
  expect(findNameProblem(name, ["x.ts"], false)).toBe(problem);
});

test.each([
  ["a/b.ts", null],
  ["a/b/c", null],
  [" ", "empty"],
  ["a/", "unfinished"],
  ["/a", "folders"],
  ["a//b", "folders"],
  ["a\\b", "folders"],
  ["a/../b", "dots"],
  ["../b", "dots"],
  ["a/..", "dots"],
  ["./b", "dots"],
  ["x.ts", "exists"],
])("the name %j of a new entry, which may have folders: %s", (name, problem) => {
  expect(findNameProblem(name, ["x.ts"], true)).toBe(problem);
});

test("only folders with expanded parents are read", () => {
  expect(visibleFolders(["a/b/c", "a/b", "x", "y/z"])).toEqual(["", "x"]);
  expect(visibleFolders(["a/b", "a"])).toEqual(["", "a", "a/b"]);
});
