import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { drawTree, formatBinarySize, type TreeOptions } from "./project-tree";

const never = new AbortController().signal;
let project: TestProject;
afterEach(() => project.remove());

async function tree(options: TreeOptions, path = ".", signal = never) {
  const result = await drawTree(project.policy, project.model(path), options, signal);
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}

test("lists folders first, with sizes and links, without ignored and protected names", async () => {
  project = makeTestProject({
    "src/b10.ts": "x".repeat(1536),
    "src/b9.ts": "x",
    "src/gen/out.js": "x",
    "src/.gitignore": "gen\n!keep.log\n",
    "src/keep.log": "",
    "node_modules/x/index.js": "x",
    ".env": "secret",
    ".git/HEAD": "x",
    ".gitignore": "node_modules/\n*.log\n/build\n",
    "build/x": "",
    "sub/build/x": "",
    "a.log": "x",
  });
  symlinkSync("src", project.at("link"));
  execFileSync("mkfifo", [project.at("pipe")]);
  expect(await tree({ depth: 3 })).toEqual({
    text: [
      "src/",
      "  .gitignore (14 B)",
      "  b9.ts (1 B)",
      "  b10.ts (1.5 KB)",
      "  keep.log (0 B)",
      "sub/",
      "  build/",
      "    x (0 B)",
      ".gitignore (27 B)",
      "link (link)",
      "pipe (special)",
    ].join("\n"),
    entries: 11,
    more: false,
  });
});

test("a depth limit adds no note, an entry limit states the rest", async () => {
  project = makeTestProject({ "a/b/c/d.txt": "x" });
  for (let index = 0; index < 8; index += 1) project.put(`f${index}`, "");
  mkdirSync(project.at("z"));
  expect(await tree({ depth: 1, perFolder: 5 })).toEqual({
    text: "a/\nz/\nf0 (0 B)\nf1 (0 B)\nf2 (0 B)\n... (5 more files)",
    entries: 5,
    more: true,
  });
  expect((await tree({ depth: 2, perFolder: 1 })).text).toBe("a/\n  b/\n... (1 more folder, 8 more files)");
});

test("the total limit cuts deep levels, never whole top folders, and is reported", async () => {
  project = makeTestProject({ "a/1/x": "", "a/2/x": "", "b/1/x": "", "b/2/x": "" });
  expect(await tree({ depth: 5, maxEntries: 4 })).toEqual({
    text: "a/\n  1/\n    ...\n  2/\n    ...\nb/\n  ...",
    entries: 4,
    more: true,
  });
});

test("depth is clamped to the maximum", async () => {
  project = makeTestProject({ "1/2/3/4/5/6/x": "" });
  expect((await tree({ depth: 99 })).text.split("\n")).toHaveLength(5);
});

test("an ignored folder is shown if requested by path", async () => {
  project = makeTestProject({ "node_modules/x/index.js": "x", ".gitignore": "node_modules" });
  expect((await tree({ depth: 2 }, "node_modules")).text).toBe("x/\n  index.js (1 B)");
});

test("an abort and the time limit return the entries so far", async () => {
  project = makeTestProject({ "a/b": "x" });
  expect(await tree({ depth: 2 }, ".", AbortSignal.abort())).toEqual({ text: "...", entries: 0, more: true });
  expect(await tree({ depth: 2, timeoutMs: -1 })).toEqual({ text: "...", entries: 0, more: true });
});

test("a name cannot imitate an output line, and a file fails with not_folder", async () => {
  project = makeTestProject({ "a\nb (1 B)": "x" });
  expect((await tree({ depth: 1 })).text).toBe('"a\\nb (1 B)" (1 B)');
  const path = project.model("a\nb (1 B)");
  const result = await drawTree(project.policy, path, { depth: 1 }, never);
  expect(result).toMatchObject({ ok: false, error: { code: "not_folder" } });
});

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1 KB"],
  [1536, "1.5 KB"],
  [10_240, "10 KB"],
  [1_048_576, "1 MB"],
  [3_000_000_000, "2.8 GB"],
])("%i bytes read %s", (bytes, text) => {
  project = makeTestProject();
  expect(formatBinarySize(bytes)).toBe(text);
});
