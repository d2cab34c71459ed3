/** Builds the command lines of the two sandboxes (bubblewrap, Seatbelt) from data alone, testable on every system. */
import { lstatSync } from "node:fs";

export interface SandboxLayout {
  /** bwrap or sandbox-exec. */
  readonly program: string;
  /** The project folder, writable. */
  readonly root: string;
  readonly cwd: string;
  readonly pipes: string;
  /** Real path of the private temporary folder; default: an empty one for this command alone. */
  readonly temporary?: string;
  /** Real paths that are hidden from the command. */
  readonly hidden: readonly string[];
  /** Real paths of further folders that the command may write. */
  readonly writable?: readonly string[];
  /** Real paths in these folders that stay read-only. */
  readonly readOnly?: readonly string[];
  readonly network: boolean;
}

/**
 * npm tries again for minutes before it reports that there is no network, longer than a command may take. The shell does not
 * keep variables of this name for the next command.
 */
const offlineVariables: readonly (readonly [name: string, value: string])[] = [["npm_config_fetch_retries", "0"]];

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);

/**
 * Builds the bubblewrap command line. Later mounts override earlier ones: first the writable folders, then what stays
 * read-only in them, then the hidden paths, then the project, then the hidden paths inside the project. A project inside a hidden
 * folder is visible, its siblings are not.
 */
export function bubblewrapCommand(words: readonly string[], place: SandboxLayout): readonly string[] {
  const { program, root, cwd, pipes, temporary, hidden, network, writable = [], readOnly = [] } = place;
  const outside = hidden.filter((path) => !isWithin(path, root));
  const inside = hidden.filter((path) => isWithin(path, root) && path !== root);
  return [
    program,
    "--die-with-parent",
    "--new-session",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    ...(network ? [] : ["--unshare-net"]),
    "--cap-drop",
    "ALL",
    root === "/" ? "--bind" : "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    ...(temporary === undefined ? ["--tmpfs", "/tmp"] : ["--bind", temporary, "/tmp"]),
    ...writable.flatMap((path) => ["--bind", path, path]),
    ...readOnly.flatMap((path) => ["--ro-bind", path, path]),
    ...outside.flatMap(hidePath),
    ...(root === "/" ? [] : ["--bind", root, root]),
    ...inside.flatMap(hidePath),
    "--bind",
    pipes,
    pipes,
    "--setenv",
    "TMPDIR",
    "/tmp",
    ...(network ? [] : offlineVariables.flatMap(([name, value]) => ["--setenv", name, value])),
    "--chdir",
    cwd,
    "--",
    ...words,
  ];
}

/** Hides a folder behind an empty folder, any other path behind the empty device: a bound one could not be read. */
const hidePath = (path: string): readonly string[] =>
  isExistingFolder(path) ? ["--tmpfs", path] : ["--dev-bind", "/dev/null", path];

function isExistingFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Builds the Seatbelt command line. The last matching rule applies. */
export function seatbeltCommand(words: readonly string[], place: SandboxLayout): readonly string[] {
  const { program, root, pipes, temporary = pipes, hidden, network, writable = [], readOnly = [] } = place;
  const outside = hidden.filter((path) => !isWithin(path, root));
  const inside = hidden.filter((path) => isWithin(path, root) && path !== root);
  const hide = (paths: readonly string[]): readonly string[] =>
    paths.length === 0 ? [] : [`(deny file-read* file-write* ${paths.map(seatbeltSubpath).join(" ")})`];
  const profile = [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/fd/"))',
    ...(writable.length === 0 ? [] : [`(allow file-write* ${writable.map(seatbeltSubpath).join(" ")})`]),
    ...(readOnly.length === 0 ? [] : [`(deny file-write* ${readOnly.map(seatbeltSubpath).join(" ")})`]),
    ...hide(outside),
    `(allow file-read* file-write* ${[root, pipes, ...(temporary === pipes ? [] : [temporary])].map(seatbeltSubpath).join(" ")})`,
    ...hide(inside),
    ...(network ? [] : ["(deny network*)"]),
  ];
  const variables = network ? [] : offlineVariables.map(([name, value]) => `${name}=${value}`);
  return [program, "-p", profile.join("\n"), "/usr/bin/env", `TMPDIR=${temporary}`, ...variables, ...words];
}

const seatbeltSubpath = (path: string): string => `(subpath "${path.replace(/[\\"]/g, "\\$&")}")`;
