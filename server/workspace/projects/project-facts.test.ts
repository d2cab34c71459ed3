import { execFileSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { neverAborted } from "@/server/base/abort";
import { makeTestProject } from "../__fixtures__/project";
import { makeFiles } from "../files/files";
import { makeSearch } from "../search/search";
import { countTodos, readProjectFacts } from "./project-facts";

function factsOf(content: Readonly<Record<string, string>>, { trusted = true, commit = "" } = {}) {
  const { root, policy, remove } = makeTestProject(content);
  onTestFinished(remove);
  const git = (...words: readonly string[]): void =>
    void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: root, stdio: "ignore" });
  if (commit !== "") {
    git("init");
    git("commit", "--allow-empty", "-m", commit);
  }
  const [files, search] = [makeFiles(policy), makeSearch(policy)];
  const project = { root, files, search, policy: () => policy, trusted: () => trusted };
  return readProjectFacts(project, process.env, neverAborted);
}

const packageWith = (test: string): string => JSON.stringify({ scripts: { test } });

test("a project's test script, its TODOs and its last commit are found", async () => {
  const files = {
    "package.json": packageWith("vitest run"),
    "src/a.ts": "// TODO one\n// FIXME two\nconst TODOS = 1;\n",
    "docs/a.md": "TODO three\n",
  };
  expect(await factsOf(files, { commit: "Fix the sum\n\nIt was wrong." })).toEqual({
    testCommand: "npm test",
    todos: { folder: "src", count: 2, hasMore: false },
    lastCommit: "Fix the sum",
  });
});

test.each([
  ["an empty folder", {}],
  ["the test script of a new package", { "package.json": packageWith('echo "Error: no test specified" && exit 1') }],
  ["a broken package.json", { "package.json": "{" }],
  ["a package without scripts", { "package.json": "[]" }],
])("of %s there is none", async (_name, files) => {
  expect(await factsOf(files)).toEqual({ testCommand: null, todos: null, lastCommit: null });
});

test.each([
  ["pytest", { "pyproject.toml": "[tool.pytest.ini_options]\n" }],
  ["pytest", { "pytest.ini": "[pytest]\n" }],
  ["go test ./...", { "go.mod": "module example.com/a\n" }],
  ["cargo test", { "Cargo.toml": '[package]\nname = "a"\n' }],
  ["make test", { Makefile: "all:\n\ttrue\ntest: all\n\ttrue\n" }],
  ["npm test", { "package.json": packageWith("vitest run"), Makefile: "test:\n" }],
  ["make test", { "package.json": "{", Makefile: "test:\n" }],
  [null, { "pyproject.toml": "[project]\n", Makefile: "test := 1\nlatest:\n" }],
])(
  "the test command %s is found in the files of its tool",
  async (command, files: Readonly<Record<string, string>>) => {
    expect((await factsOf(files)).testCommand).toBe(command);
  },
);

test("git is not run in a folder that is not trusted", async () => {
  expect((await factsOf({ "a.ts": "" }, { trusted: false, commit: "Fix" })).lastCommit).toBeNull();
});

test("the folder with the most TODOs is named, and a cut search says that there are more", () => {
  expect(countTodos(["a.ts", "src/a.ts", "src/b/c.ts"], true)).toEqual({ folder: "src", count: 2, hasMore: true });
  expect(countTodos(["a.ts"], false)).toEqual({ folder: "", count: 1, hasMore: false });
});
