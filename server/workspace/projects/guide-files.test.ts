/** Choice of the guide, and the files that it includes. */
import { symlinkSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeFiles } from "../files/files";
import { readFolderGuides, readProjectGuides } from "./guide-files";

let project: TestProject;
afterEach(() => project.remove());

const reader = (trusted = true) => ({
  policy: project.policy,
  files: makeFiles(project.policy),
  trusted: () => trusted,
});
const guideOf = async (files: Readonly<Record<string, string>>, trusted = true): Promise<string | undefined> => {
  project = makeTestProject(files);
  return (await readProjectGuides(reader(trusted)))[0]?.text;
};

describe("the guide of a project", () => {
  test.each([
    [
      ["CLAUDE.md", "AGENTS.md", "README.md"],
      ["AGENTS.md", "README.md"],
    ],
    [["GEMINI.md", "CLAUDE.md"], ["CLAUDE.md"]],
    [
      [".github/copilot-instructions.md", "readme.md"],
      [".github/copilot-instructions.md", "readme.md"],
    ],
    [["GEMINI.md", ".github/copilot-instructions.md"], ["GEMINI.md"]],
    [["README.md"], ["README.md"]],
    [[], []],
  ])("of %j is %j", async (names, expected) => {
    project = makeTestProject(Object.fromEntries(names.map((name) => [name, name])));
    expect((await readProjectGuides(reader())).map(({ name }) => name)).toEqual(expected);
  });
});

describe("an @file.md line", () => {
  const other = { "docs/a.md": "Text of a.\n@b.md\n", "docs/b.md": "Text of b." };
  test.each([
    ["is replaced by the file", "Before\n@docs/a.md\nAfter", "Before\ndocs/a.md:\nText of a.\n@b.md\nAfter"],
    ["inside a sentence remains", "See @docs/a.md please", "See @docs/a.md please"],
    ["in fenced code remains", "```\n@docs/a.md\n```\n@docs/b.md", "```\n@docs/a.md\n```\ndocs/b.md:\nText of b."],
    ["of no file remains", "@docs/none.md", "@docs/none.md"],
    ["outside the project remains", "@../secret.md\n@/etc/x.md\n@~/x.md", "@../secret.md\n@/etc/x.md\n@~/x.md"],
    ["of another kind of file remains", "@docs/a.txt", "@docs/a.txt"],
    ["beyond five remains", "@docs/b.md\n".repeat(6), `${"docs/b.md:\nText of b.\n".repeat(5)}@docs/b.md\n`],
  ])("%s", async (_case, text, expected) => expect(await guideOf({ ...other, "AGENTS.md": text })).toBe(expected));

  test("remains in a project that is not trusted", async () =>
    expect(await guideOf({ ...other, "AGENTS.md": "@docs/a.md" }, false)).toBe("@docs/a.md"));

  test("is relative to the folder of its guide", async () => {
    project = makeTestProject({
      "src/AGENTS.md": "@rules.md",
      "src/rules.md": "Inner.",
      "rules.md": "Outer.",
      "src/x.ts": "",
    });
    expect(await readFolderGuides(reader(), "src/x.ts")).toEqual([
      { name: "src/AGENTS.md", text: "src/rules.md:\nInner." },
    ]);
  });
});

test("a guide that is a link out of the project is not read", async () => {
  project = makeTestProject({ "src/x.ts": "" });
  symlinkSync("/etc/hostname", project.at("src/AGENTS.md"));
  expect(await readFolderGuides(reader(), "src/x.ts")).toEqual([]);
});
