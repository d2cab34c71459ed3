/** Folders replaced by links around a search: nothing from outside the project is ever returned. */
import { mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyCodeSearchQuery } from "@/lib/workspace/code-search";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { runRipgrep } from "./ripgrep";
import { makeSearch } from "./search";

/** Called directly before and after ripgrep runs. */
const around = { before: (): void => {}, after: (): void => {} };
const runBetweenSwaps: typeof runRipgrep = async (...input) => {
  around.before();
  const end = await runRipgrep(...input);
  around.after();
  return end;
};

let project: TestProject;
let outside: string;
beforeEach(() => {
  project = makeTestProject({ "src/a.ts": "needle in the project\n", "other/b.ts": "needle elsewhere\n" });
  outside = realpathSync(mkdtempSync(join(tmpdir(), "gopi-outside-")));
  writeFileSync(join(outside, "a.ts"), "needle of a secret\n");
});
afterEach(() => {
  around.before = () => {};
  around.after = () => {};
  project.remove();
  rmSync(outside, { recursive: true, force: true });
});

const swap = (target = outside): void => {
  renameSync(project.at("src"), project.at("aside"));
  symlinkSync(target, project.at("src"));
};
const swapBack = (): void => {
  unlinkSync(project.at("src"));
  renameSync(project.at("aside"), project.at("src"));
};
async function texts(path: string, by: "model" | "owner" = "model"): Promise<readonly string[]> {
  const place = by === "model" ? project.model(path) : project.owner(path);
  const search = makeSearch(project.policy, runBetweenSwaps);
  const found = await search.grep({ pattern: "needle", path: place, max: 20 }, new AbortController().signal);
  if (!found.ok) throw new Error(found.error.code);
  expect(found.value.files).toBe(new Set(found.value.matches.map((match) => match.path)).size);
  return found.value.matches.map((match) => match.text);
}

test.each(["model", "owner"] as const)("without a swap all matches are returned, for the %s", async (by) => {
  expect(await texts("src", by)).toEqual(["needle in the project"]);
});

test.each(["model", "owner"] as const)("a folder that becomes a link after the search, for the %s", async (by) => {
  around.after = swap;
  expect(await texts(".", by)).toEqual(["needle elsewhere"]);
});

test.each(["model", "owner"] as const)("a folder that is a link only during the search, for the %s", async (by) => {
  around.before = swap;
  around.after = swapBack;
  expect(await texts("src", by)).toEqual([]);
});

test("lines delivered while a search runs are lines of the project", async () => {
  around.before = swap;
  around.after = swapBack;
  const paths: string[] = [];
  await makeSearch(project.policy, runBetweenSwaps).lines(
    { ...emptyCodeSearchQuery, query: "needle", context: 1, maxLines: 9, maxContextLines: 9 },
    async (files) => void paths.push(...files.map(({ path }) => path)),
    new AbortController().signal,
  );
  expect(paths).not.toContain("src/a.ts");
  expect(paths).toContain("other/b.ts");
});

test("a folder that becomes a link to another folder of the project", async () => {
  around.before = () => swap(project.at("other"));
  expect(await texts("src")).toEqual([]);
});

test("a file that becomes a link after the search", async () => {
  around.after = () => {
    unlinkSync(project.at("src/a.ts"));
    symlinkSync(join(outside, "a.ts"), project.at("src/a.ts"));
  };
  expect(await texts("src")).toEqual([]);
});

test.each([
  ["UTF-16", Buffer.from("\ufeffone\nneedle é\nthree\n", "utf16le"), "needle é"],
  ["a byte order mark", "\ufeffone\nneedle é\n", "needle é"],
  ["a byte order mark before the match", "\ufeffneedle é\n", "needle é"],
  ["Windows line ends, and none at the end", "one\r\nneedle é", "needle é"],
  ["an invalid UTF-8 byte", Buffer.from([0x61, 0xff, 0x0a, ...Buffer.from("needle"), 0xff, 0x0a]), "needle\ufffd"],
])("a file of the project with %s is returned", async (_name, content, line) => {
  project.put("src/a.ts", content);
  expect(await texts("src")).toEqual([line]);
});
