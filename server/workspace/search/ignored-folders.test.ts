/** Default ignored folders: excluded from search, lists and the tree alike, unless requested by path. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Result } from "@/lib/events/error";
import { settingsDefaults } from "@/lib/settings/settings";
import { settingTable } from "@/lib/settings/setting-table";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeFiles } from "../files/files";
import type { ProjectPolicy } from "./ignore-rules";
import { makeSearch } from "./search";
import { drawTree } from "./project-tree";

const never = new AbortController().signal;
const defaultFolders = [
  "node_modules",
  ".venv",
  "venv",
  "dist",
  "build",
  "target",
  "__pycache__",
  ".next",
  "cmake-build-debug",
];
let project: TestProject;
let policy: ProjectPolicy;

beforeEach(() => {
  project = makeTestProject({ "src/main.ts": "needle\n", build: "needle\n" });
  for (const name of defaultFolders.filter((one) => one !== "build")) {
    project.put(`${name}/deep/dist/x.ts`, "needle\n");
    project.put(`packages/one/${name}/y.ts`, "needle\n");
  }
  policy = { ...project.policy, ignoredFolders: settingsDefaults.ignoredFolders };
});
afterEach(() => project.remove());

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}
const grep = async (path = "."): Promise<readonly string[]> =>
  valueOf(await makeSearch(policy).grep({ pattern: "needle", path: project.model(path), max: 99 }, never)).matches.map(
    (match) => match.path,
  );
const find = async (path = "."): Promise<readonly string[]> =>
  [...valueOf(await makeSearch(policy).find({ pattern: "*", path: project.model(path), max: 99 }, never)).paths].sort();
const tree = async (path = "."): Promise<string> =>
  valueOf(await drawTree(policy, project.model(path), { depth: 5 }, never)).text;
const list = async (path = ".") => valueOf(await makeFiles(policy).list(project.model(path), 99));

test("search, tree and lists exclude them at every depth; a file of that name is included", async () => {
  expect(await grep()).toEqual(["build", "src/main.ts"]);
  expect(await find()).toEqual(["build", "src/main.ts"]);
  expect(await tree()).toBe("packages/\n  one/\nsrc/\n  main.ts (7 B)\nbuild (7 B)");
  const { entries } = await list();
  expect(entries.filter(({ ignored }) => !ignored).map(({ name }) => name)).toEqual(["packages", "src", "build"]);
});

describe.each(defaultFolders.filter((one) => one !== "build"))("%s", (name) => {
  test("is included with its content if requested by path", async () => {
    expect(await grep(name)).toEqual([`${name}/deep/dist/x.ts`]);
    expect(await find(`${name}/deep`)).toEqual([`${name}/deep/dist/x.ts`]);
    expect(await tree(name)).toBe("deep/\n  dist/\n    x.ts (7 B)");
    expect(await list(name)).toMatchObject({ allIgnored: true, entries: [{ name: "deep" }] });
    expect(await list(".")).toMatchObject({ allIgnored: false });
  });
});

test("a .gitignore re-includes a folder", async () => {
  project.put(".gitignore", "!dist/\n");
  project.put("dist/kept.ts", "needle\n");
  expect(await grep()).toContain("dist/kept.ts");
  expect(await tree()).toContain("kept.ts");
  expect((await list()).entries.find(({ name }) => name === "dist")?.ignored).toBe(false);
  expect(await grep()).not.toContain("node_modules/deep/dist/x.ts");
});

test("the user's list replaces the default: empty excludes nothing, a custom name is excluded", async () => {
  policy = { ...policy, ignoredFolders: [] };
  expect(await grep()).toContain("node_modules/deep/dist/x.ts");
  policy = { ...policy, ignoredFolders: ["s?c"] };
  expect(await grep()).not.toContain("src/main.ts");
  expect(await tree()).not.toContain("src");
});

test("the folder in a git repository is excluded as well", async () => {
  project.put(".git/HEAD", "ref: refs/heads/main\n");
  expect(await grep()).toEqual(["build", "src/main.ts"]);
});

test.each([
  ["*.egg-info", true],
  ["My-cache", true],
  ["a/b", false],
  ["!dist", false],
  ["..", false],
  ["{a,b}", false],
  ["", false],
])("the setting takes %j: %s", (name, isValid) => {
  expect(settingTable.ignoredFolders.accepts([name])).toBe(isValid);
});
