/** The tools on a read root beside the project: they read and search it, show absolute paths, and change nothing. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { deleteTool } from "../change/delete";
import { editTool } from "../change/edit";
import { writeTool } from "../change/write";
import { callTool, makeTestEnvironment, type TestEnvironment } from "../core/test-environment";
import type { Tool } from "../core/tool";
import { findTool } from "./find";
import { grepTool } from "./grep";
import { lsTool } from "./ls";
import { readTool } from "./read";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "gopi-read-root-")));
const skills = join(folder, "skills");
let environment: TestEnvironment;
const textOf = async <I>(tool: Tool<I>, input: Json): Promise<string> =>
  (await callTool(tool, input, environment.context)).text;

beforeAll(() => {
  environment = makeTestEnvironment({ readRoots: [skills] });
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  put(`${skills}/pdf/SKILL.md`, "# PDF\nuse the lantern\n");
  put(`${skills}/pdf/.env`, "lantern\n");
  put(`${skills}/pdf/out/x.log`, "lantern\n");
  put(`${skills}/.gitignore`, "*.log\n");
  put(`${folder}/token`, "lantern\n");
  symlinkSync("../token", `${skills}/token`);
  // The same paths in the project, with other content.
  put(`${environment.root}/pdf/SKILL.md`, "# Of the project\nlantern\n");
  put(`${environment.root}/.gitignore`, "pdf/\n");
});
afterAll(() => {
  environment.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe("reading", () => {
  test("a file, and a missing one with similar names", async () => {
    expect(await textOf(readTool, { path: `${skills}/pdf/SKILL.md` })).toBe("1\t# PDF\n2\tuse the lantern");
    expect(await textOf(readTool, { path: "pdf/SKILL.md" })).toBe("1\t# Of the project\n2\tlantern");
    expect(await textOf(readTool, { path: `${skills}/pdf/skill.md` })).toContain(`${skills}/pdf/SKILL.md?`);
    expect(await textOf(readTool, { path: `${skills}/pdf/SKILL.md`, offset: 9 })).toContain(`${skills}/pdf/SKILL.md`);
  });

  test("a folder by its own ignore rules, without protected names", async () => {
    expect(await textOf(lsTool, { path: skills, depth: 3 })).toBe(
      ["pdf/", "  out/", "  SKILL.md 22 B", ".gitignore 6 B", "token (link)"].join("\n"),
    );
    expect(await textOf(lsTool, { path: `${skills}/token` })).toBe(`${skills}/token is outside the project.`);
  });

  test("a search finds absolute paths, which the next call accepts", async () => {
    expect(await textOf(grepTool, { pattern: "lantern", path: skills })).toBe(
      `${skills}/pdf/SKILL.md:2:use the lantern`,
    );
    expect(await textOf(grepTool, { pattern: "lantern", path: `${skills}/pdf`, glob: "*.md" })).toBe(
      `${skills}/pdf/SKILL.md:2:use the lantern`,
    );
    const found = await textOf(findTool, { pattern: `${skills}/**/*.md`, path: skills });
    expect(found).toBe(`${skills}/pdf/SKILL.md`);
    expect(await textOf(readTool, { path: found })).toContain("# PDF");
  });

  test("a search of the project does not enter it", async () => {
    expect(await textOf(findTool, { pattern: "*.md" })).not.toContain("SKILL.md");
    expect(await textOf(grepTool, { pattern: "lantern" })).toBe("(no matches)");
  });
});

test("no tool changes it, also with a path that was resolved for reading", async () => {
  const path = `${skills}/pdf/SKILL.md`;
  for (const text of [
    await textOf(writeTool, { path, content: "x" }),
    await textOf(writeTool, { path: `${skills}/new.md`, content: "x" }),
    await textOf(editTool, { path, old_text: "# PDF", new_text: "x" }),
    await textOf(deleteTool, { path }),
    await textOf(deleteTool, { path: skills }),
  ])
    expect(text).toMatch(/ is outside the project\.$/);
  const { context, trashFolder } = environment;
  const minted = context.path(path, "read");
  const outside = { ok: false, error: { code: "outside", facts: { path } } };
  expect(await context.files.write(minted, "x", null)).toEqual(outside);
  expect(await context.files.writeBytes(minted, new Uint8Array(), null, 0o644)).toEqual(outside);
  expect(await context.files.moveOut(minted, trashFolder)).toEqual(outside);
  expect(await context.files.rename(minted, context.path("new.md", "write"))).toEqual(outside);
  expect(await context.files.rename(context.path("pdf/SKILL.md", "write"), minted)).toEqual(outside);
  expect((await context.files.makeFolder(context.path(`${skills}/new`, "read"))).ok).toBe(false);
  expect(readFileSync(path, "utf8")).toBe("# PDF\nuse the lantern\n");
  expect(readdirSync(skills).toSorted()).toEqual([".gitignore", "pdf", "token"]);
});

test("a search of a read root around the project leaves the project out", async () => {
  const readRoots: string[] = [];
  const inside = makeTestEnvironment({ readRoots });
  const around = dirname(inside.root);
  readRoots.push(around);
  writeFileSync(`${inside.root}/a.md`, "lantern\n");
  writeFileSync(`${around}/b.md`, "lantern\n");
  const call = async <I>(tool: Tool<I>, input: Json): Promise<string> =>
    (await callTool(tool, input, inside.context)).text;
  expect(await call(grepTool, { pattern: "lantern", path: around })).toBe(`${around}/b.md:1:lantern`);
  expect(await call(findTool, { pattern: "*.md", path: around })).toBe(`${around}/b.md`);
  expect(await call(lsTool, { path: around })).toBe("b.md 8 B");
  expect(await call(grepTool, { pattern: "lantern", path: inside.root })).toBe("a.md:1:lantern");
  inside.remove();
});

test("a folder of it that becomes a link after the check is not followed", async () => {
  const { files, search, path: resolve } = environment.context;
  const file = resolve(`${skills}/pdf/SKILL.md`, "read");
  const below = resolve(`${skills}/pdf`, "read");
  mkdirSync(`${folder}/stolen`);
  writeFileSync(`${folder}/stolen/SKILL.md`, "lantern of another folder\n");
  renameSync(`${skills}/pdf`, `${skills}/moved`);
  symlinkSync("../stolen", `${skills}/pdf`);
  expect((await files.readText(file, 1_000)).ok).toBe(false);
  expect((await files.list(below, 10)).ok).toBe(false);
  const signal = new AbortController().signal;
  expect((await search.grep({ pattern: "lantern", path: below, max: 9 }, signal)).ok).toBe(false);
  rmSync(`${skills}/pdf`);
  renameSync(`${skills}/moved`, `${skills}/pdf`);
  // The read root itself.
  renameSync(skills, `${folder}/away`);
  mkdirSync(`${folder}/stolen/pdf`);
  writeFileSync(`${folder}/stolen/pdf/SKILL.md`, "lantern of another folder\n");
  symlinkSync("stolen", skills);
  expect(await textOf(readTool, { path: `${skills}/pdf/SKILL.md` })).toMatch(/is outside the project\.$/);
  expect(await files.readText(file, 1_000)).toMatchObject({ error: { code: "changed_meanwhile" } });
  expect((await search.grep({ pattern: "lantern", path: below, max: 9 }, signal)).ok).toBe(false);
  rmSync(skills);
  renameSync(`${folder}/away`, skills);
});
