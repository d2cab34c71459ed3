import { expect, test } from "vitest";
import { findUserShell, terminalEnvironment } from "./user-shell";

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
  expect(findUserShell({ SHELL: "/bin/sh" }, "linux")).toEqual({ program: "/bin/sh", arguments: [], name: "sh" });
  expect(findUserShell({ SHELL: "/bin/sh" }, "darwin")?.arguments).toEqual(["-l"]);
  expect(findUserShell({ SHELL: "/does/not/exist" }, "linux")?.program).toMatch(/^\/.*sh$/);
  expect(findUserShell({ SHELL: "sh" }, "linux")?.program).toMatch(/^\//);
});
