/** Branch and guide never wait for the tree, and a failed read is retried. */
import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeFiles } from "../files/files";
import { readGitBranch } from "../git/git-head";
import { drawProjectTree, makeProjectSummary } from "./project-summary";
import { makeProjects } from "./projects";

let project: TestProject;
afterEach(() => project.remove());

const reader = (drawTree: () => Promise<string>, troubles: unknown[] = []) =>
  makeProjectSummary({
    readBranch: () => readGitBranch(project.root),
    policy: project.policy,
    files: makeFiles(project.policy),
    trusted: () => true,
    drawTree,
    onError: (error) => void troubles.push(error),
  });
const never = () => new Promise<string>(() => {});

describe("branch and guide", () => {
  test("are available during the walk", async () => {
    project = makeTestProject({ "AGENTS.md": "Be brief.", ".git/HEAD": "ref: refs/heads/main\n" });
    const summary = reader(never);
    expect(summary.current()).toBeNull();
    void summary.refresh();
    await summary.readFacts();
    expect(summary.current()).toEqual({
      branch: "main",
      guide: { name: "AGENTS.md", text: "Be brief." },
      extras: [],
      tree: null,
    });
  });

  test("are read again for each session", async () => {
    project = makeTestProject({ "AGENTS.md": "Old." });
    const summary = reader(never);
    await summary.readFacts();
    project.put("AGENTS.md", "New.");
    await summary.readFacts();
    expect(summary.current()?.guide?.text).toBe("New.");
  });

  test("the README beside a guide and the first configuration files are extras", async () => {
    project = makeTestProject({
      "AGENTS.md": "A",
      "README.md": "R",
      Makefile: "all:",
      "go.mod": "module x",
      "package.json": "{}",
    });
    const summary = reader(never);
    await summary.readFacts();
    expect(summary.current()?.guide?.name).toBe("AGENTS.md");
    expect(summary.current()?.extras).toEqual([
      { name: "README.md", text: "R" },
      { name: "package.json", text: "{}" },
      { name: "go.mod", text: "module x" },
    ]);
  });

  test.each<[string, (project: TestProject) => void, string | null]>([
    ["none", () => {}, null],
    ["README only", (project) => project.put("README.md", "R"), "README.md"],
    ["both", (project) => [project.put("README.md", "R"), project.put("AGENTS.md", "A")], "AGENTS.md"],
    ["an empty AGENTS.md", (project) => [project.put("README.md", "R"), project.put("AGENTS.md", " \n")], "README.md"],
    ["a pipe named AGENTS.md", (project) => execFileSync("mkfifo", [project.at("AGENTS.md")]), null],
    ["a folder named AGENTS.md", (project) => [project.put("AGENTS.md/x"), project.put("readme.md", "R")], "readme.md"],
    ["a binary AGENTS.md", (project) => project.put("AGENTS.md", Buffer.from([0, 1, 2, 3])), null],
  ])("%s", async (_case, prepare, expected) => {
    project = makeTestProject();
    prepare(project);
    const summary = reader(never);
    await summary.readFacts();
    expect(summary.current()?.guide?.name ?? null).toBe(expected);
  });
});

describe("after a failure", () => {
  test("the next refresh walks again, and no promise is rejected", async () => {
    project = makeTestProject({ "a.ts": "" });
    const troubles: unknown[] = [];
    let walks = 0;
    const summary = reader(async () => {
      walks += 1;
      if (walks < 3) throw new Error("the disk is away");
      return "a.ts";
    }, troubles);
    await Promise.all([summary.refresh(), summary.refresh()]);
    expect(summary.current()?.tree).toBeNull();
    await summary.refresh();
    await summary.refresh();
    expect(summary.current()?.tree).toBe("a.ts");
    expect(walks).toBe(3);
    expect(troubles).toHaveLength(2);
  });

  test("an opened project has a summary as soon as the settings can be read", async () => {
    project = makeTestProject({ "AGENTS.md": "A", "a.ts": "" });
    let broken = true;
    const troubles: unknown[] = [];
    const row = { id: asId<ProjectId>("p"), path: project.root, name: "p", openedAt: 0 };
    const projects = makeProjects({
      record: () => row,
      find: () => row,
      protectedNames() {
        if (broken) throw new Error("database is locked");
        return [];
      },
      push: () => {},
      onError: (error) => void troubles.push(error),
    });
    const opened = await projects.open(project.root);
    await projects.waitUntilReady(row.id);
    expect(troubles).not.toEqual([]);
    broken = false;
    await projects.waitUntilReady(row.id);
    expect(opened.ok && opened.value.summary()?.guide?.name).toBe("AGENTS.md");
    await (opened.ok ? opened.value.refresh() : null);
    expect(opened.ok && opened.value.summary()?.tree).toContain("a.ts");
    await projects.dispose();
  });
});

test("the tree respects the configured depth and entries per folder", async () => {
  project = makeTestProject({ "a/b/c/deep.txt": "x" });
  for (let n = 0; n < 12; n += 1) project.put(`many/file-${n}.txt`, "x");
  const tree = await drawProjectTree(project.policy, { treeDepth: 2, treeFolderEntries: 5 });
  expect(tree).toContain("b/");
  expect(tree).not.toContain("c/");
  expect(tree).toContain("(7 more files)");
  const deeper = await drawProjectTree(project.policy, { treeDepth: 5, treeFolderEntries: 50 });
  expect(deeper).toContain("deep.txt");
  expect(deeper).not.toContain("more files");
});
