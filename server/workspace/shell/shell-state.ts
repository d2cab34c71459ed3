/**
 * State passed between shell calls: the bash program around a command, and the parser of the state it writes. Pure.
 */
import { serverLimits } from "@/lib/settings/server-limits";
import { mayPersist } from "@/server/security/environment/shell-environment";

export interface ShellState {
  /** Absolute, real path. */
  readonly cwd: string;
  /** Exported plain variables that differ from the environment at the start of the call. */
  readonly variables: { readonly [name: string]: string };
  /** Commands that ran in the background at the end. */
  readonly jobs?: number;
}

/** Variables passed to the program, which does not export them to its children. */
export const commandVariable = "GOPI_COMMAND";
export const stateVariable = "GOPI_STATE";
/** In the state: how many commands run in the background. */
const jobsVariable = "GOPI_JOBS";
/** Stays exported; identifies children in sessions of their own. */
export const markerVariable = "GOPI_CALL";

/**
 * The program bash runs with -c. The command reaches eval unchanged in a variable: no splicing, no quoting, and its
 * text is not in the process list, where its own `pkill -f` would match it; the variable is gone before the command
 * itself runs, because an expansion such as `${name@P}` would run its text. One group, parsed before it runs, so that
 * `set -v` prints none of it. The state is written after the command, and by the trap if the command exits by itself
 * or by `set -e`; `1<>` because a plain open of a pipe would block if the server has died.
 */
export const wrapperProgram = oneLine(`{
export -n ${commandVariable} ${stateVariable};
__gopi_save() {
  [ -z "$__gopi_saved" ] || return 0;
  __gopi_saved=1;
  {
    builtin printf '='; builtin pwd -P; builtin printf '\\0';
    while IFS= builtin read -r __gopi_name; do
      builtin printf '%s=%s\\0' "$__gopi_name" "\${!__gopi_name-}";
    done <<< "$(builtin compgen -e)";
    local IFS=$' \\n';
    builtin set -- $(builtin jobs -rp);
    builtin printf '${jobsVariable}=%s\\0\\0' "$#";
  } 1<>"$${stateVariable}";
};
trap '{ set +eux; __gopi_save; } 2>/dev/null' EXIT;
eval "unset -v ${commandVariable}; $${commandVariable}";
{ __gopi_status=$?; set +euxv; __gopi_save; } 2>/dev/null;
exit "$__gopi_status";
}`);

/** On one line, messages of bash count the lines of the command alone. */
function oneLine(program: string): string {
  return program.replaceAll(/\n\s*/g, " ");
}

/**
 * Limits of each process of a limited command. Text tools need far less; mapped files and pipes do not count. `sort` fills
 * half of its memory and writes that to one file.
 */
const limitedFileKiB = 2_097_152;
const limitedMemoryKiB = 2_097_152;

/**
 * `wrapperProgram` with limits for its processes, which only root could raise. macOS accepts the one for memory, and ignores
 * it. Without the signal, a program in the middle of a pipeline fails with a message, not silently.
 */
export const limitedWrapperProgram = oneLine(`builtin ulimit -c 0 2>/dev/null;
builtin ulimit -f ${limitedFileKiB} 2>/dev/null;
builtin ulimit -d ${limitedMemoryKiB} 2>/dev/null;
builtin trap '' XFSZ;
${wrapperProgram}`);

/**
 * Never persisted, in addition to variables that control programs: those bash or a sandbox sets, and those that
 * change how text tools read.
 */
const neverPersisted = new Set([
  "HOME",
  "PWD",
  "SHLVL",
  "TMPDIR",
  "_",
  "POSIXLY_CORRECT",
  "GREP_OPTIONS",
  "GCONV_PATH",
]);

const isPersisted = (name: string): boolean =>
  mayPersist(name) && !neverPersisted.has(name) && !/^(?:GOPI_(?:CALL|COMMAND|STATE)$|__gopi_)/.test(name);

/** Variables that would change bash itself before the command; never passed in. */
export const affectsBash = (name: string): boolean =>
  /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|IFS|BASH_FUNC_.*|PS4|GOPI_(?:CALL|COMMAND|STATE))$/.test(name);

/**
 * Parses the last complete record the program wrote; null if there is none. `given`: the environment at the start of
 * the call, without persisted variables. Values that are not UTF-8 or too large are dropped.
 */
export function parseShellState(written: Buffer, environment: { readonly [name: string]: string }): ShellState | null {
  let cwd = "";
  let variables: { [name: string]: string } = {};
  let bytes = 0;
  let jobs = 0;
  let whole: ShellState | null = null;
  for (let start = 0, end = written.indexOf(0); end !== -1; start = end + 1, end = written.indexOf(0, start)) {
    const entry = decodeUtf8(written.subarray(start, end));
    const name = entry?.slice(0, entry.indexOf("=")) ?? "";
    if (start === end) {
      if (cwd.startsWith("/")) whole = { cwd, variables, jobs };
    } else if (name === "") {
      if (entry?.startsWith("=")) cwd = entry.slice(1, -1);
      variables = {};
      bytes = 0;
    } else if (name === jobsVariable) {
      jobs = Number(entry?.slice(name.length + 1));
    } else if (entry !== null && isPersisted(name)) {
      const value = entry.slice(name.length + 1);
      bytes += end - start;
      if (value !== environment[name] && bytes <= serverLimits.bashVariablesBytes && end - start < maxVariableBytes) {
        variables[name] = value;
      }
    }
  }
  return whole;
}

/** Linux accepts no longer variable. */
const maxVariableBytes = 100_000;

function decodeUtf8(bytes: Buffer): string | null {
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : null;
}
