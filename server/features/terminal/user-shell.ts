/** The user's shell and the environment of a terminal. */
import { accessSync, constants, statSync } from "node:fs";
import { userInfo } from "node:os";
import { basename, isAbsolute } from "node:path";

interface UserShell {
  /** Absolute path. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** Name of the program, without its folder. */
  readonly name: string;
}

const fallbackShells = ["/bin/bash", "/bin/zsh", "/bin/sh"];

/** Shells that read a line as POSIX describes. */
const lineShells: ReadonlySet<string> = new Set(["ash", "bash", "dash", "ksh", "sh", "zsh"]);

/** Whether the shell reads the line so. In fish a backslash within single quotes may end them elsewhere. */
const readsLine = ({ name }: UserShell, line: string): boolean =>
  lineShells.has(name) || (name === "fish" && !line.includes("\\"));

/**
 * Returns the shell with the arguments by which it runs one line with the user's settings, and exits. In place of one with another
 * syntax it is a usual one; null = there is none.
 */
export function findLineShell(
  environment: NodeJS.Dict<string>,
  chosen: ShellChoice,
  line: string,
  platform = process.platform,
): UserShell | null {
  const shells = [chosen.program, ...fallbackShells].map((program) =>
    findUserShell(environment, { program, arguments: [] }, platform),
  );
  const shell = shells.find((one) => one !== null && readsLine(one, line)) ?? null;
  return shell && { ...shell, arguments: [...shell.arguments, "-i", "-c", line] };
}

/** The shell that the user has chosen. */
export interface ShellChoice {
  /** Absolute path; "" = `SHELL`, else the shell of the user's account, else a usual one. */
  readonly program: string;
  /** None = those usual on this system. */
  readonly arguments: readonly string[];
}

/** Returns the chosen shell; null = it cannot be run. */
export function findUserShell(
  environment: NodeJS.Dict<string>,
  chosen: ShellChoice = { program: "", arguments: [] },
  platform = process.platform,
): UserShell | null {
  const candidates = chosen.program === "" ? [environment.SHELL, accountShell(), ...fallbackShells] : [chosen.program];
  const program = candidates.find((path) => path !== undefined && isAbsolute(path) && isExecutable(path));
  if (program === undefined) return null;
  const name = basename(program);
  if (chosen.arguments.length > 0) return { program, arguments: chosen.arguments, name };
  // Terminals of macOS start login shells: PATH is set in their profiles there.
  return { program, arguments: platform === "darwin" ? ["-l"] : [], name };
}

function accountShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    // The user id has no account, as in some containers.
    return undefined;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Variables of this program, of npm that started it, and of the terminal it was started in. */
const withheldVariables =
  /^(?:GOPI_DEV_UI|npm_.*|INIT_CWD|NODE_CHANNEL_FD|NODE_ENV|TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES|TERM_PROGRAM.*|TERM_SESSION_ID|VTE_VERSION|VSCODE_.*|KITTY_.*|WEZTERM_.*|ITERM_.*|FORCE_COLOR)$/i;

/** Returns the user's environment for a terminal, with what describes the terminal itself. */
export function terminalEnvironment(environment: NodeJS.Dict<string>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && !withheldVariables.test(name)) result[name] = value;
  return { ...result, TERM: "xterm-256color", COLORTERM: "truecolor", TERM_PROGRAM: "gopi-web" };
}
