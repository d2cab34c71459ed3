import { expect, test } from "vitest";
import type { SourceEntry } from "@/lib/workspace/source-control";
import { buildSourceRows, type RepositoryStatus } from "./source-rows";

const untracked = (path: string): SourceEntry => ({ path, change: "untracked" });

const statusOf = (paths: readonly string[]): RepositoryStatus => ({
  ...{ kind: "status", branch: { name: "main", commit: null }, operation: null, stashes: 0, more: 0, unreadable: 0 },
  ...{ tookMs: 1, staged: [], changed: [], conflicts: [], untracked: paths.map(untracked) },
});

const show = (paths: readonly string[], closed: readonly string[] = []): readonly string[] =>
  buildSourceRows(statusOf(paths), new Set(closed), "tree")
    .slice(1)
    .map((row) => " ".repeat(row.depth - 1) + (row.kind === "entry" ? row.entry.path : `${row.name}/`));

test("folders come first, in the order of the file tree; those alone in a folder share its row", () => {
  expect(show(["b.ts", "a/x/y/2.ts", "a/x/y/10.ts", "a/x/z.ts", "中文/说明.md"])).toEqual([
    "a/x/",
    " y/",
    "  a/x/y/2.ts",
    "  a/x/y/10.ts",
    " a/x/z.ts",
    "中文/",
    " 中文/说明.md",
    "b.ts",
  ]);
});

test("an untracked folder is one path, and a closed folder hides what is in it", () => {
  expect(show(["a/new/", "a/b.ts"])).toEqual(["a/", " a/b.ts", " a/new/"]);
  expect(show(["a/b/c.ts", "a/d.ts"], ["untracked a/b/"])).toEqual(["a/", " b/", " a/d.ts"]);
  expect(show(["a/b.ts"], ["untracked"])).toEqual([]);
});
