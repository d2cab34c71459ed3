import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { mayPersist, pathWithoutProject, shellEnvironment } from "./shell-environment";

const planted = {
  PATH: "/bin",
  HOME: "/home/u",
  LANG: "C",
  LC_ALL: "C",
  LC_SECRET_KEY: "s1",
  TERM: "xterm",
  TZ: "UTC",
  NODE_ENV: "production",
  OPENAI_API_KEY: "s2",
  TELEGRAM_TOKEN: "s3",
  DB_PASSWORD: "s4",
  AWS_SECRET_ACCESS_KEY: "s5",
  GOPI_HOME: "s6",
  NODE_OPTIONS: "--x",
  LD_PRELOAD: "s7",
  BASH_ENV: "s8",
  SSH_AUTH_SOCK: "s9",
  GITHUB_TOKEN: "s10",
  lc_all: "x",
  MY_TOKEN: "mine",
};

test("the tool's shell receives only the allow-list", () => {
  expect(shellEnvironment(planted, [])).toEqual({
    PATH: "/bin",
    HOME: "/home/u",
    LANG: "C",
    LC_ALL: "C",
    TERM: "xterm",
    TZ: "UTC",
  });
});

test("a name the user chose passes regardless of the name", () => {
  expect(shellEnvironment(planted, ["MY_TOKEN", "ABSENT"])).toMatchObject({ MY_TOKEN: "mine" });
  expect(Object.keys(shellEnvironment(planted, ["ABSENT"]))).not.toContain("ABSENT");
});

test("env in the shell prints no planted secret", () => {
  const { stdout } = spawnSync("/bin/bash", ["--noprofile", "--norc", "-c", "export -p; set"], {
    env: { ...shellEnvironment(planted, []), NODE_ENV: "test" },
    encoding: "utf8",
  });
  expect(stdout).toContain("/home/u");
  for (const secret of ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10"])
    expect(stdout).not.toMatch(new RegExp(`["'=]${secret}\\b`));
});

test.each([
  "PATH",
  "BASH_ENV",
  "LD_PRELOAD",
  "CDPATH",
  "IFS",
  "GIT_DIR",
  "NODE_OPTIONS",
  "PYTHONPATH",
  "PROMPT_COMMAND",
  "bad-name",
  "",
])("%j is not carried to the next call", (name) => expect(mayPersist(name)).toBe(false));
test.each(["FOO", "CI", "node_env", "_x1"])("%j is", (name) => expect(mayPersist(name)).toBe(true));

describe("PATH for commands that were judged by their names", () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "gopi-path-")));
  const root = join(place, "project");
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  mkdirSync(join(place, "project-tools"));
  mkdirSync(join(place, "tools"));
  symlinkSync(join(root, "node_modules/.bin"), join(place, "link"));
  symlinkSync(join(root, "later"), join(place, "dangling"));
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  test.each([
    ["the project's programs", (): string => `${root}/node_modules/.bin:/usr/bin`, "/usr/bin"],
    ["the project itself", () => `${root}:/usr/bin`, "/usr/bin"],
    ["a detour into it", () => `${place}/tools/../project/node_modules/.bin:/usr/bin`, "/usr/bin"],
    ["a link into it", () => `${place}/link:/usr/bin`, "/usr/bin"],
    ["the current folder", () => ".:/usr/bin", "/usr/bin"],
    ["empty entries", () => ":/usr/bin::/bin:", "/usr/bin:/bin"],
    ["relative entries", () => "node_modules/.bin:bin:../x:/usr/bin", "/usr/bin"],
    ["a link to nothing", () => `${place}/dangling:/usr/bin`, "/usr/bin"],
    ["nothing is left", () => `${root}:.`, "/usr/local/bin:/usr/bin:/bin"],
  ])("%s", (_name, path, expected) => expect(pathWithoutProject(root, path())).toBe(expected));

  test("folders outside the project stay, in their order", () =>
    expect(pathWithoutProject(root, `${place}/project-tools:${place}/tools:/usr/bin`)).toBe(
      `${place}/project-tools:${place}/tools:/usr/bin`,
    ));
});
