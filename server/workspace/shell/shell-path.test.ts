/**
 * Programs a project puts in PATH under the names of common tools: none of them runs for a command classified as
 * read-only.
 */
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeShell } from "./shell";

const never = new AbortController().signal;
const names = ["ls", "cat", "git", "grep", "bash", "mkfifo", "env", "printf", "pwd"];
let project: TestProject;

beforeEach(() => {
  project = makeTestProject({ "a.txt": "a\n" });
  mkdirSync(project.at("node_modules/.bin"), { recursive: true });
  for (const name of names) {
    for (const folder of ["node_modules/.bin", "."]) {
      const file = project.at(`${folder}/${name}`);
      writeFileSync(file, `#!/bin/sh\n: > "${project.at("ran")}"\necho planted\n`);
      chmodSync(file, 0o755);
    }
  }
  symlinkSync("node_modules/.bin", project.at("link"));
});
afterEach(() => project.remove());

const run = async (path: string, command: string, readsOnly: boolean): Promise<string> => {
  const shell = makeShell({ root: project.root, environment: () => ({ PATH: path, HOME: project.root }) });
  let output = "";
  await shell.run(command, { timeoutMs: 10_000, onOutput: (text) => (output += text), readsOnly }, never);
  return output;
};

test.each([
  ["the folder of its programs", (): string => `${project.root}/node_modules/.bin:/usr/bin:/bin`],
  ["the current folder", () => ".:/usr/bin:/bin"],
  ["an empty entry", () => ":/usr/bin:/bin"],
  ["a relative folder", () => "node_modules/.bin:/usr/bin:/bin"],
  ["a link", () => `${project.root}/link:/usr/bin:/bin`],
])("%s in PATH supplies nothing to a reading command", async (_name, path) => {
  expect(await run(path(), "cat a.txt; ls a.txt; grep -c a a.txt", true)).toBe("a\na.txt\n1\n");
  expect(existsSync(project.at("ran"))).toBe(false);
});

test("other commands find the project's programs, but the shell itself never comes from the project", async () => {
  const path = `${project.root}/node_modules/.bin:/usr/bin:/bin`;
  expect(await run(path, "echo started", false)).toBe("started\n");
  expect(existsSync(project.at("ran"))).toBe(false);
  expect(await run(path, "ls", false)).toBe("planted\n");
});
