/** Files whose writing makes other programs run code (R27), and the decisions about those that look alike. */
import { describe, expect, test } from "vitest";
import { isProtectedPath, runsCode } from "./protected-names";

const none = { protectedNames: [] };

describe("a write asks always, in every mode, for", () => {
  test.each([
    ".gitattributes",
    ".gitmodules",
    "sub/.gitmodules",
    ".githooks/pre-commit",
    ".husky/pre-commit",
    ".vscode/settings.json",
    ".vscode/tasks.json",
    "packages/a/.vscode/launch.json",
    ".VSCODE/settings.json",
    ".idea/workspace.xml",
    "app.code-workspace",
    ".mcp.json",
    "mcp.json",
    ".cursor/mcp.json",
    ".claude/settings.json",
    ".gopi/config.json",
    ".devcontainer/devcontainer.json",
    ".devcontainer.json",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".npmrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    ".bashrc",
    ".zshenv",
    ".profile",
    ".vimrc",
    ".exrc",
    ".dir-locals.el",
    ".gdbinit",
    ".tool-versions",
    "mise.toml",
    "sitecustomize.py",
    ".direnv/x",
    ".circleci/config.yml",
  ])("%s", (path) => {
    expect(runsCode(path)).toBe(true);
    expect(isProtectedPath(path, none)).toBe(false);
  });
});

describe("nothing is written at all, since it is protected:", () => {
  // .envrc is shell code for direnv and mostly holds secrets besides.
  test.each([
    ".git",
    ".git/config",
    "sub/.git",
    ".git/hooks/pre-commit",
    ".env",
    ".envrc",
    ".env.local",
    ".GIT/config",
  ])("%s", (path) => expect(isProtectedPath(path, none)).toBe(true));
});

describe("a write is a write like any other for", () => {
  // The project's own programs: they run when somebody runs them, and that asks. Editing them is the agent's daily work.
  test.each([
    "package.json",
    "Makefile",
    "justfile",
    "Dockerfile",
    "pyproject.toml",
    "Cargo.toml",
    "build.gradle",
    "CMakeLists.txt",
    "vite.config.ts",
    "eslint.config.mjs",
    "src/git.ts",
    "gitignore.md",
    ".gitignore",
    ".gitkeep",
    ".editorconfig",
    ".prettierrc",
    "docs/vscode/tasks.json",
    "idea/x.xml",
    "AGENTS.md",
    "README.md",
  ])("%s", (path) => {
    expect(runsCode(path)).toBe(false);
    expect(isProtectedPath(path, none)).toBe(false);
  });
});
