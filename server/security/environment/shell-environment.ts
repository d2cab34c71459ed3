/** Selects the environment variables that a tool's shell and its children receive. */
import { lstatSync, realpathSync } from "node:fs";
import { posix } from "node:path";

/** Allow-list of variable names; every other variable, above all keys and tokens, is withheld. */
const passedNames: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "LANG",
  "LANGUAGE",
  "TERM",
  "COLORTERM",
  "TMPDIR",
  "USER",
  "LOGNAME",
  "SHELL",
  "TZ",
  "__CF_USER_TEXT_ENCODING",
]);

const looksSecret = /(?:^|_)(?:TOKEN|KEY|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_|$)/i;

/** Variables that change which programs run or how a shell starts: never carried from one call to the next. */
const behaviorVariables =
  /^(?:PATH|ENV|BASH_.*|BASHOPTS|SHELLOPTS|CDPATH|IFS|PS\d|PROMPT_COMMAND|LD_.*|DYLD_.*|GLOBIGNORE|GIT_.*|NODE_OPTIONS|NODE_PATH|PYTHON.*|PERL5?.*|RUBY.*|RIPGREP_CONFIG_PATH|LANG|LANGUAGE|LC_.*|LOCPATH|NLSPATH|LESSOPEN|LESSCLOSE|PAGER|EDITOR|VISUAL)$/;

/**
 * Returns the environment of a tool's shell: the allow-list, every LC_* that does not look like a secret, and the
 * names the user chose, which pass regardless of their name. Unset names are omitted.
 */
export function shellEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  extraNames: readonly string[],
): Record<string, string> {
  const extra = new Set(extraNames);
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined) continue;
    const listed = passedNames.has(name) || (/^LC_[A-Z]+$/.test(name) && !looksSecret.test(name));
    if (extra.has(name) || listed) environment[name] = value;
  }
  return environment;
}

const systemPath = "/usr/local/bin:/usr/bin:/bin";

/**
 * Returns PATH without entries that the project can fill: folders in the project, relative and empty entries, and
 * links that lead there. For commands that were judged by the names of their programs. `root`: real path of the
 * project.
 */
export function pathWithoutProject(root: string, path = systemPath): string {
  const isOutside = (folder: string): boolean => {
    if (!posix.isAbsolute(folder)) return false;
    const places = [posix.normalize(folder), resolvePathFolder(folder)];
    return places.every(
      (place) => place !== null && place !== root && !place.startsWith(root === "/" ? "/" : `${root}/`),
    );
  };
  const outside = path.split(":").filter(isOutside);
  return outside.length === 0 ? systemPath : outside.join(":");
}

/** Returns the real path, the path itself when it does not exist yet, or null when it cannot be resolved. */
function resolvePathFolder(folder: string): string | null {
  try {
    return lstatSync(folder, { throwIfNoEntry: false }) === undefined ? folder : realpathSync(folder);
  } catch {
    return null;
  }
}

/** Returns whether an exported variable may be carried into the next call of the same shell. */
export const mayPersist = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !behaviorVariables.test(name);
