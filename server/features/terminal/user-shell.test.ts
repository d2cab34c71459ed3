import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quoteShellWord } from "@/lib/tools/quote-shell-word";
import { findLineShell, findUserShell, terminalEnvironment } from "./user-shell";

test("a terminal has the user's variables, and none of npm or of the terminal around gopi-web", () => {
  const environment = {
    PATH: "/usr/bin",
    EDITOR: "vim",
    NO_COLOR: "1",
    GOPI_HOME: "/other",
    npm_config_prefix: "/x",
    INIT_CWD: "/x",
    TMUX: "/tmp/tmux",
    COLUMNS: "40",
    TERM: "dumb",
    TERM_PROGRAM_VERSION: "1",
  };
  expect(terminalEnvironment(environment)).toEqual({
    PATH: "/usr/bin",
    EDITOR: "vim",
    NO_COLOR: "1",
    GOPI_HOME: "/other",
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    TERM_PROGRAM: "gopi-web",
  });
});

test("the shell is SHELL, unless it cannot be run", () => {
  expect(findUserShell({ SHELL: "/bin/sh" }, undefined, "linux")).toEqual({
    program: "/bin/sh",
    arguments: [],
    name: "sh",
  });
  expect(findUserShell({ SHELL: "/bin/sh" }, undefined, "darwin")?.arguments).toEqual(["-l"]);
  expect(findUserShell({ SHELL: "/does/not/exist" }, undefined, "linux")?.program).toMatch(/^\/.*sh$/);
  expect(findUserShell({ SHELL: "sh" }, undefined, "linux")?.program).toMatch(/^\//);
});

test("a line is run with the user's settings, by a usual shell where the user's has another syntax", () => {
  const argumentsOf = (SHELL: string, platform: NodeJS.Platform) =>
    findLineShell({ SHELL }, { program: "", arguments: ["-e"] }, "git push", platform);
  expect(argumentsOf("/bin/sh", "linux")).toEqual({
    program: "/bin/sh",
    arguments: ["-i", "-c", "git push"],
    name: "sh",
  });
  expect(argumentsOf("/bin/sh", "darwin")?.arguments).toEqual(["-l", "-i", "-c", "git push"]);
  expect(argumentsOf("/usr/bin/env", "linux")?.name).toMatch(/^(?:bash|zsh|sh)$/);
});

test("fish runs a line only if its quotes end where those of other shells do", () => {
  const folder = mkdtempSync(join(tmpdir(), "gopi-shell-"));
  const program = join(folder, "fish");
  writeFileSync(program, "", { mode: 0o755 });
  const nameFor = (line: string) => findLineShell({}, { program, arguments: [] }, line, "linux")?.name;
  expect(nameFor("git push -- 'a b'")).toBe("fish");
  expect(nameFor(["git", "push", "--", "x\\'; touch it; '"].map(quoteShellWord).join(" "))).not.toBe("fish");
  rmSync(folder, { recursive: true });
});

test.each([
  ["an executable with its arguments", { program: "/bin/sh", arguments: ["-e"] }, { arguments: ["-e"], name: "sh" }],
  ["a program that does not exist", { program: "/does/not/exist", arguments: [] }, null],
  ["a file that is not executable", { program: "/etc/passwd", arguments: [] }, null],
  ["a folder", { program: "/tmp", arguments: [] }, null],
])("a chosen shell is used only if it can be run: %s", (_title, choice, expected) => {
  const found = findUserShell({ SHELL: "/bin/bash" }, choice, "linux");
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatchObject(expected);
});
