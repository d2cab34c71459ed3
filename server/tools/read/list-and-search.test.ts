import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { findTool } from "./find";
import { grepTool } from "./grep";
import { lsTool } from "./ls";
import { callTool, makeTestEnvironment, type TestEnvironment } from "../core/test-environment";
import type { Tool } from "../core/tool";

let environment: TestEnvironment;
const call = <I>(tool: Tool<I>, input: Json) => callTool(tool, input, environment.context);

beforeAll(() => {
  environment = makeTestEnvironment();
  const put = (path: string, content: string): void => writeFileSync(`${environment.root}/${path}`, content);
  for (const folder of ["src/deep", "many", "ignored", "empty"])
    mkdirSync(`${environment.root}/${folder}`, { recursive: true });
  put(".gitignore", "ignored/\n*.log\n");
  put("ignored/x.ts", `needle\n${"a".repeat(5_000)}!\n`);
  put("trace.log", "needle\n");
  put(".env", "needle=1\n");
  put("src/a.ts", "one\nneedle here\nthree\n");
  put("src/deep/b.ts", "x.y(needle)\n");
  put("src/deep/c.md", "Needle\n");
  for (let index = 0; index < 75; index++) put(`many/f${String(index).padStart(2, "0")}.txt`, "hay\n");
  symlinkSync("src", `${environment.root}/link`);
  utimesSync(`${environment.root}/src/a.ts`, 1_000, 1_000);
  utimesSync(`${environment.root}/src/deep/b.ts`, 2_000, 2_000);
});
afterAll(() => environment.remove());

describe("ls", () => {
  test("lists a tree with sizes, without ignored and protected entries or following links", async () => {
    expect(
      (await call(lsTool, { depth: 3, path: "." })).text.split("\n").filter((line) => !line.includes("f")),
    ).toEqual([
      "empty/",
      "many/",
      "src/",
      "  deep/",
      "    b.ts 12 B",
      "    c.md 7 B",
      "  a.ts 22 B",
      ".gitignore 15 B",
      "link (link)",
    ]);
  });

  test("shows 50 entries per folder and counts the rest", async () => {
    const { text, result } = await call(lsTool, { path: "many" });
    const lines = text.split("\n");
    expect(result?.facts).toEqual({ entries: 50, more: true });
    expect(lines.length).toBe(51);
    expect(lines.at(-1)).toBe("... (25 more files)");
  });

  test.each<[string, Json, string | undefined, string]>([
    ["an empty folder", { path: "empty" }, undefined, "(empty is empty)"],
    ["a file", { path: "src/a.ts" }, "not_folder", "src/a.ts is a file (22 B). Use read."],
    ["a missing folder", { path: "no" }, "not_found", "no does not exist."],
    ["a folder outside", { path: "/etc" }, "outside", "/etc is outside the project."],
  ])("%s is result", async (_, input, code, expected) => {
    const result = await call(lsTool, input);
    expect(result.code).toBe(code);
    expect(result.text).toContain(expected);
  });

  test("clamps depth to 1 to 5", async () => {
    expect((await call(lsTool, { path: "src", depth: 99 })).code).toBeUndefined();
    expect((await call(lsTool, { path: "src", depth: 0 })).text).toBe("deep/ ...\na.ts 22 B");
  });
});

describe("names that imitate output lines", () => {
  const names = ["a\nsecret.ts 12 B", "b\r\u001b[2Kc", "d\u2028e.ts:1:fake", "  indented", "... (9 more files)"];
  let odd: TestEnvironment;
  beforeAll(() => {
    odd = makeTestEnvironment();
    for (const name of names) writeFileSync(`${odd.root}/${name}`, "needle\n");
    mkdirSync(`${odd.root}/f\nolder`);
    writeFileSync(`${odd.root}/f\nolder/x`, "needle\n");
  });
  afterAll(() => odd.remove());

  test.each<[string, () => ReturnType<typeof callTool>, (line: string) => boolean]>([
    ["ls", () => callTool(lsTool, { depth: 2 }, odd.context), (line) => /^(?: {2})?(?:"|x )/.test(line)],
    ["find", () => callTool(findTool, { pattern: "*" }, odd.context), (line) => line.startsWith('"')],
    [
      "grep",
      () => callTool(grepTool, { pattern: "needle" }, odd.context),
      (line) => /^"(?:[^"\\]|\\.)*":1:needle$/.test(line),
    ],
  ])("%s gives each of them one line, quoted", async (name, listed, isHonest) => {
    const { text } = await listed();
    const lines = text.split(/\r\n|[\n\r\u2028\u2029\u0085]/);
    expect(lines).toHaveLength(names.length + (name === "ls" ? 2 : 1));
    expect(lines.filter((line) => !isHonest(line))).toEqual([]);
  });
});

describe("folders below the last level", () => {
  test("are marked if they have entries that are not ignored", async () => {
    const deep = makeTestEnvironment();
    for (const folder of ["empty", "full/x", "hidden/ignored", "links"])
      mkdirSync(`${deep.root}/${folder}`, { recursive: true });
    writeFileSync(`${deep.root}/.gitignore`, "ignored\n");
    writeFileSync(`${deep.root}/hidden/ignored/x`, "");
    symlinkSync("full", `${deep.root}/links/to`);
    const list = async (input: Json) => (await callTool(lsTool, input, deep.context)).text.split("\n");
    expect(await list({})).toEqual(["empty/", "full/ ...", "hidden/", "links/ ...", ".gitignore 8 B"]);
    expect(await list({ depth: 2, path: "full" })).toEqual(["x/"]);
    expect(await list({ path: "hidden/ignored" })).toEqual(["x 0 B"]);
    deep.remove();
  });
});

describe("find", () => {
  test("finds files by glob, newest first, without ignored ones", async () => {
    expect((await call(findTool, { pattern: "**/*.ts" })).text).toBe("src/deep/b.ts\nsrc/a.ts");
    expect((await call(findTool, { pattern: "*.ts", path: "src/deep" })).text).toBe("src/deep/b.ts");
  });

  test.each<[string, Json, string | undefined, string]>([
    ["nothing found", { pattern: "*.zig" }, undefined, "(no file matches"],
    ["a file as path", { pattern: "*", path: "src/a.ts" }, "not_folder", "src/a.ts is not a folder"],
    ["a missing path", { pattern: "*", path: "no" }, "not_found", "no does not exist."],
  ])("%s is result", async (_, input, code, expected) => {
    const result = await call(findTool, input);
    expect(result.code).toBe(code);
    expect(result.text).toContain(expected);
  });
});

describe("grep", () => {
  test("formats matches as file:line:text, without ignored and protected files", async () => {
    const { text, result } = await call(grepTool, { pattern: "needle" });
    expect(text).toBe("src/a.ts:2:needle here\nsrc/deep/b.ts:1:x.y(needle)");
    expect(result?.facts).toEqual({ matches: 2 });
  });

  test("marks context lines with a dash and separates runs", async () => {
    expect((await call(grepTool, { pattern: "needle", context: 1 })).text).toBe(
      "src/a.ts-1-one\nsrc/a.ts:2:needle here\nsrc/a.ts-3-three\n--\nsrc/deep/b.ts:1:x.y(needle)",
    );
  });

  test("literal, ignore_case and glob apply to the search", async () => {
    expect((await call(grepTool, { pattern: "y(needle", literal: true })).text).toBe("src/deep/b.ts:1:x.y(needle)");
    expect((await call(grepTool, { pattern: "NEEDLE", ignore_case: true, glob: "*.md" })).text).toBe(
      "src/deep/c.md:1:Needle",
    );
  });

  test("shows 50 matches and states that there are more", async () => {
    const { text, result } = await call(grepTool, { pattern: "hay" });
    expect(text.split("\n").length).toBe(51);
    expect(text).toContain("[the first 50 matches are shown, there are more; narrow path, glob or pattern]");
    expect(result?.facts).toEqual({ matches: 50, more: true });
  });

  test.each<[string, Json, string | undefined, string]>([
    [
      "an invalid regex",
      { pattern: "y(needle" },
      "bad_regex",
      'The pattern is not a valid regex. To search for it as plain text set "literal": true.',
    ],
    ["no match", { pattern: "nothing like this" }, undefined, "(no matches)"],
    ["a missing path", { pattern: "x", path: "no" }, "not_found", "no does not exist."],
    [
      "a pattern with catastrophic backtracking in other engines",
      { pattern: "(a+)+$", path: "ignored" },
      undefined,
      "(no matches)",
    ],
  ])("%s is result", async (_, input, code, expected) => {
    const result = await call(grepTool, input);
    expect(result.code).toBe(code);
    expect(result.text).toContain(expected);
  });
});

describe.runIf(process.platform === "linux")("names that are not UTF-8", () => {
  const bytes = (path: string): Buffer => Buffer.from(`${environment.root}/${path}`, "latin1");
  beforeAll(() => {
    mkdirSync(`${environment.root}/names`);
    mkdirSync(bytes("names/fold\u00e9r"));
    for (const path of ["names/caf\u00e9.txt", "names/fold\u00e9r/in.txt", "names/good.txt"])
      writeFileSync(bytes(path), "pin here\n");
  });
  afterAll(() => rmSync(`${environment.root}/names`, { recursive: true }));

  test.each<[string, () => ReturnType<typeof callTool>, readonly string[]]>([
    ["ls", () => call(lsTool, { path: "names", depth: 3 }), ["good.txt 9 B"]],
    ["find", () => call(findTool, { pattern: "**/*.txt", path: "names" }), ["names/good.txt"]],
    ["grep", () => call(grepTool, { pattern: "pin", path: "names" }), ["names/good.txt:1:pin here"]],
  ])("%s counts them and lists none", async (_name, run, lines) => {
    expect((await run()).text.split("\n")).toEqual([...lines, "[2 names are not UTF-8 and left out]"]);
  });

  test("a folder and results with nothing else do not count as empty", async () => {
    mkdirSync(`${environment.root}/names/only`);
    writeFileSync(bytes("names/only/\u00e9"), "single\n");
    const note = "[1 name is not UTF-8 and left out]";
    expect((await call(lsTool, { path: "names/only" })).text).toBe(note);
    expect((await call(findTool, { pattern: "*", path: "names/only" })).text).toBe(note);
    expect((await call(grepTool, { pattern: "single" })).text).toBe(note);
  });
});
