import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  childPath,
  isProtectedName,
  isProtectedPath,
  modelPath,
  ownerPath,
  type PathPolicy,
  runsCode,
} from "./safe-path";

let place = "";
let root = "";
let policy: PathPolicy = { root: "/", protectedNames: [] };

beforeAll(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "gopi-paths-")));
  root = join(place, "project");
  for (const folder of [
    "project/src/deep",
    "project/.git/hooks",
    "project/node_modules/.cache",
    "project-evil",
    "away/inner",
  ]) {
    mkdirSync(join(place, folder), { recursive: true });
  }
  for (const file of [
    "project/src/a.ts",
    "project/.env",
    "project/.env.example",
    "project/.gitignore",
    "project/secrets.pem",
    "project-evil/x",
    "away/inner/x",
    "project/.git/config",
    "project/plain.txt",
  ]) {
    writeFileSync(join(place, file), file);
  }
  const links: readonly (readonly [string, string])[] = [
    ["out", "../away"],
    ["out-absolute", join(place, "away")],
    ["out-file", "../away/inner/x"],
    ["chain-1", "chain-2"],
    ["chain-2", "chain-3"],
    ["chain-3", "../away"],
    ["chain-in", "chain-in-2"],
    ["chain-in-2", "src/a.ts"],
    ["loop-1", "loop-2"],
    ["loop-2", "loop-1"],
    ["self", "self"],
    ["to-git", ".git"],
    ["to-git-config", ".git/config"],
    ["to-env", "src/../.env"],
    ["dead-in", "src/new.ts"],
    ["dead-out", "../away/new.ts"],
    ["dead-git", ".git/hooks/new"],
    ["to-src", "src"],
    ["to-root", "."],
    ["to-root-absolute", "../project"],
    ["up", ".."],
    ["device", "/dev/null"],
    ["kernel", "/proc/self/cwd"],
    ["src/back", "../plain.txt"],
    ["src/deep/far", "../../../away"],
    [".env.link", "plain.txt"],
  ];
  for (const [link, target] of links) symlinkSync(target, join(root, link));
  symlinkSync(root, join(place, "alias"));
  policy = { root, protectedNames: ["secrets.pem", "*.key", "Vault"] };
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

const resolvedOrCode = (text: string, use: "read" | "write" = "read", cwd?: string): string => {
  const result = modelPath(text, use, policy, cwd === undefined ? undefined : join(root, cwd));
  return result.ok ? result.value.relative : `!${result.error.code}`;
};

describe("a path of the model", () => {
  const table: readonly (readonly [string, string])[] = [
    // inside, in every spelling
    ["src/a.ts", "src/a.ts"],
    ["./src/a.ts", "src/a.ts"],
    ["src//a.ts", "src/a.ts"],
    ["src/./a.ts", "src/a.ts"],
    ["src/../src/a.ts", "src/a.ts"],
    ["src/deep/../a.ts", "src/a.ts"],
    ["src/", "src"],
    ["src///", "src"],
    [".", "."],
    ["./", "."],
    ["src/..", "."],
    ["missing/../src/a.ts", "src/a.ts"],
    ["missing.ts", "missing.ts"],
    ["new/folder/file.ts", "new/folder/file.ts"],
    [".env.example", ".env.example"],
    [".gitignore", ".gitignore"],
    [".github/workflows/ci.yml", ".github/workflows/ci.yml"],
    ["environment.ts", "environment.ts"],
    ["my.env", "my.env"],
    ["git/config", "git/config"],
    ["node_modules/x/.cache", "node_modules/x/.cache"],
    [".cache/x", ".cache/x"],
    ["src/...", "src/..."],
    ["ünïcode/文件.ts", "ünïcode/文件.ts"],
    ["a b/c d.txt", "a b/c d.txt"],
    ["new\nline", "new\nline"],
    ["~x", "~x"],
    ["src/~", "src/~"],
    ["chain-in", "src/a.ts"],
    ["to-src/a.ts", "src/a.ts"],
    ["to-src", "src"],
    ["to-root", "."],
    ["to-root/src/a.ts", "src/a.ts"],
    ["to-root-absolute/src", "src"],
    ["up/project/src/a.ts", "src/a.ts"],
    ["to-src/../plain.txt", "plain.txt"],
    ["src/back", "plain.txt"],
    ["plain.txt/below", "plain.txt/below"],
    ["../project/src/a.ts", "src/a.ts"],
    // outside
    ["..", "!outside"],
    ["../", "!outside"],
    ["../project-evil/x", "!outside"],
    ["../away", "!outside"],
    ["src/../../away", "!outside"],
    ["src/../../project/../away", "!outside"],
    ["/", "!outside"],
    ["//", "!outside"],
    ["/etc/passwd", "!outside"],
    ["//etc/passwd", "!outside"],
    ["/dev/zero", "!outside"],
    ["/proc/self/environ", "!outside"],
    ["~", "!outside"],
    ["~/.ssh/id_rsa", "!outside"],
    ["~/../etc/passwd", "!outside"],
    ["out", "!outside"],
    ["out/", "!outside"],
    ["out/inner/x", "!outside"],
    ["out/../away", "!outside"],
    ["out/../src/a.ts", "!outside"],
    ["out-absolute/new.ts", "!outside"],
    ["out-file", "!outside"],
    ["chain-1", "!outside"],
    ["chain-1/inner/x", "!outside"],
    ["dead-out", "!outside"],
    ["src/deep/far/inner/x", "!outside"],
    ["up", "!outside"],
    ["up/project-evil/x", "!outside"],
    ["device", "!outside"],
    ["kernel", "!outside"],
    ["to-root/../away", "!outside"],
    // protected
    [".git", "!protected"],
    [".git/", "!protected"],
    ["./.git/config", "!protected"],
    [".GIT/config", "!protected"],
    [".Git", "!protected"],
    [".git.", "!protected"],
    [".git ", "!protected"],
    [".git::$INDEX_ALLOCATION/config", "!protected"],
    ["GIT~1/config", "!protected"],
    ["git~2", "!protected"],
    [".g\u200cit/config", "!protected"],
    [".ｇｉｔ/config", "!protected"],
    [".git\\config", "!protected"],
    ["src/.git/config", "!protected"],
    ["new/.git", "!protected"],
    [".env", "!protected"],
    [".ENV", "!protected"],
    [".env.local", "!protected"],
    [".envrc", "!protected"],
    [".env.example.local", "!protected"],
    ["src/.env.production", "!protected"],
    ["src/../.env", "!protected"],
    [".env.", "!protected"],
    [".env:stream", "!protected"],
    ["node_modules/.cache", "!protected"],
    ["node_modules/.cache/x", "!protected"],
    ["Node_Modules/.CACHE/x", "!protected"],
    ["packages/a/node_modules/.cache", "!protected"],
    ["secrets.pem", "!protected"],
    ["SECRETS.PEM", "!protected"],
    ["deep/server.key", "!protected"],
    ["vault/inner", "!protected"],
    ["to-git", "!protected"],
    ["to-git/config", "!protected"],
    ["to-git-config", "!protected"],
    ["to-env", "!protected"],
    ["dead-git", "!protected"],
    [".env.link", "!protected"],
    // not a path at all
    ["", "!bad_path"],
    ["src/\0.ts", "!bad_path"],
    ["\0", "!bad_path"],
    ["\ud800", "!bad_path"],
    [`${"a".repeat(256)}`, "!bad_path"],
    [`${"文".repeat(86)}`, "!bad_path"],
    [`${"a/".repeat(2100)}`, "!bad_path"],
    ["loop-1", "!broken_link"],
    ["loop-1/x", "!broken_link"],
    ["self", "!broken_link"],
    ["dead-in", "!broken_link"],
  ];
  test.each(table)("%j leads to %j", (text, expected) => expect(resolvedOrCode(text)).toBe(expected));

  test("in absolute spelling is the same path", () => {
    expect(resolvedOrCode(join(root, "src/a.ts"))).toBe("src/a.ts");
    expect(resolvedOrCode(root)).toBe(".");
    expect(resolvedOrCode(`${root}/`)).toBe(".");
    expect(resolvedOrCode(`${root}-evil/x`)).toBe("!outside");
    expect(resolvedOrCode(`${root}/.git/config`)).toBe("!protected");
    expect(resolvedOrCode(join(place, "alias/src/a.ts"))).toBe("src/a.ts");
    expect(resolvedOrCode(join(place, "alias/.env"))).toBe("!protected");
    expect(resolvedOrCode(join(place, "alias/../away"))).toBe("!outside");
  });

  test("relative to another folder starts there", () => {
    expect(resolvedOrCode("a.ts", "read", "src")).toBe("src/a.ts");
    expect(resolvedOrCode("../plain.txt", "read", "src")).toBe("plain.txt");
    expect(resolvedOrCode("../../away", "read", "src")).toBe("!outside");
  });

  test("through a dangling link is written where the link points", () => {
    expect(resolvedOrCode("dead-in", "write")).toBe("src/new.ts");
    expect(resolvedOrCode("dead-out", "write")).toBe("!outside");
    expect(resolvedOrCode("dead-git", "write")).toBe("!protected");
  });

  test("reports the requested path in the facts", () => {
    const result = modelPath("/etc/passwd", "read", policy);
    expect(result).toEqual({ ok: false, error: { code: "outside", facts: { path: "/etc/passwd" } } });
  });

  test("with 255-byte names is a path", () => {
    expect(resolvedOrCode("a".repeat(255))).toBe("a".repeat(255));
  });

  test("in the home folder is expanded when the project is there", () => {
    const home = { root: realpathSync(homedir()), protectedNames: [] };
    const result = modelPath("~/notes.txt", "read", home);
    expect(result.ok && result.value.relative).toBe("notes.txt");
  });

  test("is inside when the root is the whole disk", () => {
    const result = modelPath("/etc/hostname-x", "read", { root: "/", protectedNames: [] });
    expect(result.ok && result.value.relative).toBe("etc/hostname-x");
  });

  test("to a hard link is a plain path", () => {
    linkSync(join(root, "plain.txt"), join(root, "hard.txt"));
    expect(resolvedOrCode("hard.txt")).toBe("hard.txt");
  });
});

describe("a path of the owner", () => {
  test.each([
    [".git/config", ".git/config"],
    [".env", ".env"],
    ["to-git", ".git"],
    ["secrets.pem", "secrets.pem"],
    [".", "."],
  ])("%j leads to %j", (text, expected) => {
    const result = ownerPath(text, "read", policy);
    expect(result.ok && result.value.relative).toBe(expected);
  });
  test.each(["..", "out/inner/x", "/etc/passwd", "~/.ssh", "../project-evil/x"])("%j is refused as outside", (text) => {
    const result = ownerPath(text, "write", policy);
    expect(!result.ok && result.error.code).toBe("outside");
  });
});

describe("a child of a safe folder", () => {
  const childOf = (folder: string, name: string, by: "model" | "owner" = "model"): string | null => {
    const parent = by === "model" ? modelPath(folder, "read", policy) : ownerPath(folder, "read", policy);
    if (!parent.ok) throw new Error(parent.error.code);
    return childPath<"model" | "owner">(parent.value, name, policy)?.relative ?? null;
  };
  const table: readonly (readonly [string, string, string | null])[] = [
    [".", "src", "src"],
    ["src", "a.ts", "src/a.ts"],
    [".", ".git", null],
    [".", ".ENV", null],
    [".", "secrets.pem", null],
    ["node_modules", ".cache", null],
    [".", "out", null],
    [".", "chain-1", null],
    [".", "to-git", null],
    [".", "dead-out", null],
    [".", "self", null],
    [".", "up", null],
    [".", "to-src", "src"],
    [".", "..", null],
    [".", ".", null],
    [".", "", null],
    [".", "src/a.ts", null],
    [".", "a\0b", null],
  ];
  test.each(table)("in %j named %j is %j", (folder, name, expected) => expect(childOf(folder, name)).toBe(expected));
  test("is visible to the owner when it is protected, but not when it leads out", () => {
    expect(childOf(".", ".git", "owner")).toBe(".git");
    expect(childOf(".", "out", "owner")).toBe(null);
  });
});

describe("names", () => {
  const none = { protectedNames: [] };
  test.each([
    ".git",
    ".GIT",
    ".git ",
    ".git...",
    ".env",
    ".env.local",
    ".Env.Production",
    "GIT~1",
    ".env~1",
    ".git:x",
    ".envrc",
  ])("%j is protected", (name) => expect(isProtectedName(name, none)).toBe(true));
  test.each([
    ".gitignore",
    ".github",
    ".env.example",
    ".env.sample",
    ".ENV.template",
    "git",
    "env",
    "x.env",
    ".gitattributes",
    "node_modules",
    ".cache",
    "...",
  ])("%j is not protected", (name) => expect(isProtectedName(name, none)).toBe(false));
  test("a cache is protected only inside node_modules", () => {
    expect(isProtectedPath("a/node_modules/.cache/b", none)).toBe(true);
    expect(isProtectedPath("a/.cache/node_modules", none)).toBe(false);
  });
  test.each([
    ".vscode/settings.json",
    ".VSCode/tasks.json",
    ".idea/x",
    ".husky/pre-commit",
    ".mcp.json",
    ".bashrc",
    ".zshrc",
    ".gitattributes",
    ".gitmodules",
    ".github/workflows/ci.yml",
    ".gopi/config.yaml",
    "a/.npmrc",
    "x.code-workspace",
    ".claude/settings.json",
    ".devcontainer.json",
    ".pnp.cjs",
    ".yarn/releases/yarn.cjs",
    ".circleci/config.yml",
  ])("%j makes other programs run code", (path) => expect(runsCode(path)).toBe(true));
  test.each([
    "src/a.ts",
    ".gitignore",
    ".github/ISSUE_TEMPLATE.md",
    "vscode/x",
    "README.md",
    "package.json",
    ".editorconfig",
  ])("%j does not", (path) => expect(runsCode(path)).toBe(false));
});
