import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { rgPath } from "@vscode/ripgrep";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Result } from "@/lib/events/error";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { clipAroundMatch } from "./clip-line";
import { type GrepRequest, grepLineChars } from "./lines/grep";
import { runRipgrep } from "./ripgrep";
import { makeSearch, type Search } from "./search";

const never = new AbortController().signal;
let project: TestProject;
let search: Search;

beforeEach(() => {
  project = makeTestProject(
    {
      "src/a.ts": "one\nneedle here\nthree\n",
      "src/b.js": "needle\n",
      "src/deep/c.ts": "x\r\nneedle\r\n",
      "ignored/d.ts": "needle\n",
      "src/gen/e.ts": "needle\n",
      ".hidden/f.ts": "needle\n",
      ".env": "needle=secret\n",
      ".env.example": "needle=\n",
      ".git/config": "needle\n",
      "private/g.ts": "needle\n",
      ".gitignore": "ignored/\n",
      "src/.gitignore": "gen/\n",
    },
    ["private"],
  );
  search = makeSearch(project.policy);
});
afterEach(() => project.remove());

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail ?? ""}`);
  return result.value;
}

const grep = (pattern: string, more: Partial<GrepRequest> = {}) =>
  search.grep({ pattern, path: project.model("."), max: 50, ...more }, never);
const hits = async (pattern: string, more: Partial<GrepRequest> = {}): Promise<string[]> =>
  valueOf(await grep(pattern, more)).matches.map((match) => `${match.path}:${match.line}`);

describe("grep", () => {
  test("returns matches in path order, without ignored and protected files, with hidden ones", async () => {
    expect(await hits("needle")).toEqual([
      ".env.example:1",
      ".hidden/f.ts:1",
      "src/a.ts:2",
      "src/b.js:1",
      "src/deep/c.ts:2",
    ]);
  });

  test("orders as ripgrep sorts: folder by folder, names by their bytes", async () => {
    for (const name of ["a.txt", "a/b.txt", "a-b.txt", "B.txt", "ä.txt", "\u{1f600}.txt", "\uffee.txt", "a/b/c.txt"])
      project.put(`order/${name}`, "sorted\nsorted\n");
    const sorted = execFileSync(rgPath, ["--sort=path", "--line-number", "sorted", "order"], { cwd: project.root })
      .toString()
      .trim()
      .split("\n");
    expect(sorted).toHaveLength(16);
    expect(await hits("sorted")).toEqual(sorted.map((line) => line.replace(/:sorted$/, "")));
  });

  test("returns the first matches in path order, however many there are", async () => {
    const lines = "common\n".repeat(1_000);
    for (let index = 30; index > 0; index -= 1) project.put(`much/${String(index).padStart(2, "0")}.txt`, lines);
    const found = valueOf(await grep("common", { path: project.model("much"), max: 1_001 }));
    expect(found.matches.map(({ path, line }) => `${path}:${line}`)).toEqual([
      ...Array.from({ length: 1_000 }, (_, index) => `much/01.txt:${index + 1}`),
      "much/02.txt:1",
    ]);
    expect(found).toMatchObject({ files: 2, more: true, timedOut: false });
  });

  test("the rest of a long line is not kept in memory", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage: unknown = runInNewContext("gc");
    if (typeof collectGarbage !== "function") throw new Error("no gc");
    // Long strings that come from bytes are outside the heap.
    const usedBytes = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed + process.memoryUsage().external;
    };
    const before = usedBytes();
    project.put("long.jsonl", `${"x".repeat(150_000)} common\n`.repeat(100));
    const found = valueOf(await grep("common", { max: 100 }));
    // Buffers of the process that has ended are released in the background. What the matches hold is never released.
    await expect.poll(() => usedBytes() - before, { timeout: 10_000 }).toBeLessThan(5_000_000);
    // Used last, so that it is not collected.
    expect(found.matches).toHaveLength(100);
  });

  test("a file with very many matches is not read to its end", async () => {
    let records = 0;
    const counting = makeSearch(project.policy, (run, signal) => {
      const record: typeof run.record = (bytes) => {
        records += 1;
        return run.record(bytes);
      };
      return runRipgrep({ ...run, record }, signal);
    });
    project.put("app.log", "INFO started\n".repeat(50_000));
    const found = valueOf(await counting.grep({ pattern: "INFO", path: project.model("."), max: 20 }, never));
    expect(found).toMatchObject({ files: 1, more: true, timedOut: false });
    expect(found.matches).toHaveLength(20);
    expect(records).toBeLessThan(50);
  });

  test("when time runs out in the ordered search, the lines found so far are returned", async () => {
    const limits: number[] = [];
    const slow = makeSearch(project.policy, async (run, signal) => {
      limits.push(run.timeoutMs);
      if (run.arguments.includes("--sort=path"))
        return { ok: true, value: { exitCode: null, ended: "timeout", stderr: "" } };
      return runRipgrep(run, signal);
    });
    for (let index = 0; index < 120; index += 1) project.put(`much/${index}.txt`, "common\n".repeat(100));
    const found = valueOf(await slow.grep({ pattern: "common", path: project.model("."), max: 100 }, never));
    expect(found).toMatchObject({ more: true, timedOut: true });
    expect(found.matches).toHaveLength(100);
    expect(limits).toHaveLength(2);
    expect(limits[1]).toBeLessThan(limits[0] ?? 0);
  });

  test("the owner sees protected files except git's own folder", async () => {
    const found = valueOf(await grep("needle", { path: project.owner(".") }));
    expect(found.matches.map((match) => match.path)).toContain("private/g.ts");
    expect(found.matches.map((match) => match.path)).not.toContain(".git/config");
  });

  test.each([
    ["*.ts", [".hidden/f.ts:1", "src/a.ts:2", "src/deep/c.ts:2"]],
    ["src/*.ts", ["src/a.ts:2"]],
    ["*.{js,md}", ["src/b.js:1"]],
    ["!*.ts", [".env.example:1", "src/b.js:1"]],
    ["**/deep/**", ["src/deep/c.ts:2"]],
    ["ignored/*", []],
  ])("the glob %s chooses files and never overrules .gitignore", async (glob, expected) => {
    expect(await hits("needle", { glob })).toEqual(expected);
  });

  test("searches a folder, a single file, and an ignored folder requested by path", async () => {
    expect(await hits("needle", { path: project.model("src") })).toEqual([
      "src/a.ts:2",
      "src/b.js:1",
      "src/deep/c.ts:2",
    ]);
    expect(await hits("needle", { path: project.model("src"), glob: "deep/*.ts" })).toEqual(["src/deep/c.ts:2"]);
    expect(await hits("needle", { path: project.model("src/a.ts"), glob: "*.md" })).toEqual(["src/a.ts:2"]);
    expect(await hits("needle", { path: project.model("ignored") })).toEqual(["ignored/d.ts:1"]);
  });

  test("ignore files above the project do not apply", async () => {
    project.put("inner/.gitignore", "");
    project.put("inner/x.ts", "needle\n");
    project.put(".gitignore", "*\n");
    const inner = makeSearch({ root: project.at("inner"), protectedNames: [] });
    const { modelPath } = await import("@/server/security/paths/safe-path");
    const path = valueOf(modelPath(".", "read", { root: project.at("inner"), protectedNames: [] }));
    const found = valueOf(await inner.grep({ pattern: "needle", path, max: 5 }, never));
    expect(found.matches.map((match) => match.path)).toEqual(["x.ts"]);
  });

  test("returns lines without line ends, marks context and counts files", async () => {
    const found = valueOf(await grep("needle", { path: project.model("src"), context: 1 }));
    expect(found.matches.slice(0, 3)).toEqual([
      { path: "src/a.ts", line: 1, text: "one", isContext: true },
      { path: "src/a.ts", line: 2, text: "needle here", isContext: false },
      { path: "src/a.ts", line: 3, text: "three", isContext: true },
    ]);
    expect(found.matches.at(-1)?.text).toBe("needle");
    expect(found).toMatchObject({ files: 3, more: false, timedOut: false });
  });

  test("stops at the limit, reports more matches, and omits their context", async () => {
    project.put("many.txt", "a\nhit\nb\nc\nd\nhit\ne\n");
    const path = project.model("many.txt");
    const found = valueOf(await grep("hit", { path, max: 1, context: 1 }));
    expect(found.matches.map((match) => match.text)).toEqual(["a", "hit", "b"]);
    expect(found.more).toBe(true);
    expect(valueOf(await grep("hit", { path, max: 2 })).more).toBe(false);
  });

  test.each([
    ["-e", "-e"],
    ["--files", "--files"],
    ["--pre=touch", "--pre=touch x"],
    ["'; touch pwned; '", "'; touch pwned; '"],
    ["(a+", "(a+", true],
    ["a.c", "a.c", true],
  ])("the pattern %s is a pattern and nothing else", async (pattern, content, literal = false) => {
    project.put("odd.txt", `${content}\nabc\n`);
    expect(await hits(pattern, { literal, path: project.model("odd.txt") })).toEqual(["odd.txt:1"]);
  });

  test("a folder named like an option is searched", async () => {
    project.put("--help/a.txt", "needle\n");
    expect(await hits("needle", { path: project.model("--help") })).toEqual(["--help/a.txt:1"]);
  });

  test.each(["(", "[a", "a{1000}{1000}{1000}", "(?=look)", "\\"])(
    "the invalid regex %s fails with ripgrep's reason",
    async (pattern) => {
      const result = await grep(pattern);
      expect(result).toMatchObject({ ok: false, error: { code: "bad_regex" } });
      expect(result.ok ? "" : result.error.detail).toMatch(
        /^(?:unclosed|incomplete escape|look-around|compiled|.*repetition)/i,
      );
    },
  );

  test.each([
    ["needle$", ["w.txt:1", "w.txt:3"]],
    ["^needle$", ["w.txt:1", "w.txt:3"]],
    ["^$", ["w.txt:2"]],
    ["e$|^x", ["w.txt:1", "w.txt:3", "w.txt:4"]],
    ["needle\\b$", ["w.txt:1", "w.txt:3"]],
  ])("the end of a line is where it ends with CRLF, too: %s", async (pattern, expected) => {
    project.put("w.txt", "needle\r\n\r\nneedle\nneedle more\r\n");
    const path = project.model("w.txt");
    expect(await hits(pattern, { path })).toEqual(expected);
    expect(
      valueOf(await grep(pattern, { path }))
        .matches.map((match) => match.text)
        .join(""),
    ).not.toContain("\r");
  });

  test("a pattern with catastrophic backtracking in other engines ends in time", async () => {
    project.put("evil.txt", `${"a".repeat(50_000)}!\n`);
    expect(await hits("(a+)+$", { path: project.model("evil.txt") })).toEqual([]);
  });

  test("is case-sensitive unless ignoreCase is set", async () => {
    expect(await hits("NEEDLE")).toEqual([]);
    expect(await hits("NEEDLE", { ignoreCase: true, path: project.model("src/b.js") })).toEqual(["src/b.js:1"]);
  });

  test("cuts long lines around the match", async () => {
    project.put("long.txt", `${"x".repeat(5_000)}needle${"é".repeat(5_000)}\n`);
    const [match] = valueOf(await grep("needle", { path: project.model("long.txt") })).matches;
    expect(match?.text).toHaveLength(grepLineChars + 2);
    expect(match?.text).toMatch(/^…x+needleé+…$/);
  });

  test("does not follow links, omits binary files, reads UTF-16", async () => {
    symlinkSync("/etc", project.at("etc"));
    symlinkSync("src", project.at("alias"));
    project.put("bin", "\0needle\0");
    project.put("wide.txt", Buffer.from("\ufeffneedle\n", "utf16le"));
    const found = await hits("needle");
    expect(found.filter((hit) => /^(etc|alias|bin)/.test(hit))).toEqual([]);
    expect(found).toContain("wide.txt:1");
  });

  test("does not read the user's ripgrep configuration", async () => {
    project.put("rg.conf", "--invert-match\n");
    vi.stubEnv("RIPGREP_CONFIG_PATH", project.at("rg.conf"));
    expect(await hits("needle", { path: project.model("src/b.js") })).toEqual(["src/b.js:1"]);
  });

  test("returns names that are invalid UTF-8 or unusual as well as possible", async () => {
    project.put("a b\n'c'.txt", "needle\n");
    expect(await hits("needle", { glob: "*c'.txt" })).toEqual(["a b\n'c'.txt:1"]);
  });

  test("a missing path fails with its code, an abort returns the matches so far", async () => {
    const missing = await grep("x", { path: project.model("nowhere") });
    expect(missing).toMatchObject({ ok: false, error: { code: "not_found" } });
    const aborted = await search.grep({ pattern: "x", path: project.model("."), max: 5 }, AbortSignal.abort());
    expect(valueOf(aborted)).toEqual({ matches: [], files: 0, unreadable: 0, more: true, timedOut: false });
  });
});

describe("find", () => {
  const find = async (pattern: string, path = ".", max = 100) =>
    valueOf(await search.find({ pattern, path: project.model(path), max }, never));

  test("returns newest first, without ignored and protected files", async () => {
    for (const [index, name] of ["src/deep/c.ts", "src/a.ts", ".hidden/f.ts"].entries()) {
      utimesSync(project.at(name), 1_000_000 + index, 1_000_000 + index);
    }
    expect((await find("*.ts")).paths).toEqual([".hidden/f.ts", "src/a.ts", "src/deep/c.ts"]);
    expect((await find(".env*")).paths).toEqual([".env.example"]);
  });

  test("patterns are relative to the searched folder, paths to the project", async () => {
    expect((await find("deep/*.ts", "src")).paths).toEqual(["src/deep/c.ts"]);
    expect((await find("/*.ts", "src")).paths).toEqual(["src/a.ts"]);
    expect((await find(`${project.root}/src/*.js`)).paths).toEqual(["src/b.js"]);
  });

  test("stops at the limit and reports more files", async () => {
    const found = await find("*.ts", ".", 2);
    expect(found.paths).toHaveLength(2);
    expect(found.more).toBe(true);
    expect((await find("*.ts", ".", 3)).more).toBe(false);
  });

  test("refuses a file as path, accepts an empty folder", async () => {
    const result = await search.find({ pattern: "*", path: project.model("src/a.ts"), max: 5 }, never);
    expect(result).toMatchObject({ ok: false, error: { code: "not_folder" } });
    mkdirSync(project.at("empty"));
    expect(await find("*", "empty")).toEqual({ paths: [], unreadable: 0, more: false, timedOut: false });
  });
});

describe("clipped", () => {
  test.each([
    ["short", 0, 1, 10, "short"],
    ["0123456789", 0, 1, 4, "0123…"],
    ["0123456789", 9, 10, 4, "…6789"],
    ["0123456789", 4, 6, 4, "…3456…"],
    ["0123456789", 2, 10, 4, "…2345…"],
    ["😀😀😀😀", 3, 5, 3, "…😀…"],
  ])("%s from %i to %i in %i", (text, start, end, max, expected) => {
    const clipped = clipAroundMatch(text, start, end, max);
    expect(clipped.text).toBe(expected);
    const cuts = [
      ...(expected.startsWith("…") ? [{ at: 1, lost: "before" }] : []),
      ...(expected.endsWith("…") ? [{ at: expected.length - 1, lost: "after" }] : []),
    ];
    expect(clipped.cuts ?? []).toEqual(cuts);
  });
});
