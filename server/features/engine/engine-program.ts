/** Finds llama.cpp's server on this machine, checks that it runs, and reads which options it has. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { fail, ok, type Result, withFacts } from "@/lib/events/error";
import { modelServerVariables } from "@/server/models/model-server-variables";
import { findEngineError } from "./host/engine-errors";
import type { EngineProgram } from "./host/engine-process";
import { findInstalledFile, installedFolder } from "./program/installed-program";
import { type ProgramOutput, readProgramOutput } from "./program/read-program-output";

export interface CheckedProgram extends EngineProgram {
  readonly version: string;
  /** It was fetched by this product. */
  readonly isInstalled: boolean;
}

/** The variable that names a program. */
const programVariable = "GOPI_LLAMA_SERVER";
const suffix = process.platform === "win32" ? ".exe" : "";
/** By name: what precedes the options. */
const programs: readonly { readonly name: string; readonly arguments: readonly string[] }[] = [
  { name: `llama-server${suffix}`, arguments: [] },
  { name: `llama${suffix}`, arguments: ["serve"] },
];
/** Folders of Homebrew and MacPorts, which may not be in the PATH of a program started from a desktop. */
const systemFolders: readonly string[] = [
  "/opt/homebrew/bin",
  "/usr/local/bin",
  "/home/linuxbrew/.linuxbrew/bin",
  "/opt/local/bin",
];
/** Folders of llama.cpp's own installer, conda and Nix, below the user's folder. */
const ownFolders: readonly string[] = [
  ".llama-app",
  ".local/bin",
  "miniforge3/bin",
  "miniconda3/bin",
  "anaconda3/bin",
  ".nix-profile/bin",
];
const checkMs = 20_000;
const maxOutputBytes = 262_144;

/** Absolute folders that may contain the program, the PATH first. */
function searchFolders({ PATH = "", HOME, LOCALAPPDATA, CONDA_PREFIX }: NodeJS.Dict<string>): readonly string[] {
  const own = HOME === undefined ? [] : ownFolders.map((folder) => join(HOME, folder));
  const conda = CONDA_PREFIX === undefined ? [] : [join(CONDA_PREFIX, "bin")];
  const winget = LOCALAPPDATA === undefined ? [] : [join(LOCALAPPDATA, "Microsoft", "WinGet", "Links")];
  return [...new Set([...PATH.split(delimiter), ...systemFolders, ...conda, ...own, ...winget])].filter(isAbsolute);
}

export interface ProgramSearch {
  readonly environment: NodeJS.Dict<string>;
  /** Absolute folder of the engine. */
  readonly folder: string;
  /** Absolute path that the user chose; empty = none. */
  readonly chosen: string;
}

/**
 * Checks the chosen program, else the one that the environment names, else those of the PATH, of package managers and the
 * one fetched into `folder`; the first that runs counts. null = there is none. Fails with the reason why the only ones there
 * are do not run: engine_incompatible, engine_ended (fact: `program`); and with engine_missing (facts: `program`, and `place` =
 * folder, file or nothing) if the chosen one is no program.
 */
export async function findEngineProgram(
  { environment, folder, chosen }: ProgramSearch,
  signal: AbortSignal,
): Promise<Result<CheckedProgram | null>> {
  if (chosen !== "") {
    const place = await look(chosen);
    if (place !== "program") return fail("engine_missing", chosen, { program: chosen, place });
  }
  const named = chosen === "" ? (environment[programVariable]?.trim() ?? "") : chosen;
  const places = searchFolders(environment).flatMap((place) =>
    programs.map(({ name, arguments: before }) => ({ program: join(place, name), arguments: before })),
  );
  const wanted: readonly EngineProgram[] = named === "" ? places : [toProgram(named)];
  let problem: Result<null> = ok(null);
  for (const place of wanted) {
    if ((await look(place.program)) !== "program") continue;
    const checked = await checkProgram(place, environment, signal);
    if (checked.ok) return checked;
    problem = withProgram(checked, place);
  }
  const installed = chosen === "" ? await findInstalledFile(installedFolder(folder)) : null;
  if (installed === null) return problem;
  const checked = await checkProgram({ program: installed, arguments: [] }, environment, signal);
  return checked.ok ? ok({ ...checked.value, isInstalled: true }) : withProgram(checked, { program: installed });
}

const withProgram = (
  { error }: Extract<Result<unknown>, { ok: false }>,
  { program }: Pick<EngineProgram, "program">,
): Result<never> => ({ ok: false, error: withFacts(error, { program }) });

/** The user may name `llama` too. */
const toProgram = (path: string): EngineProgram => ({
  program: path,
  arguments: programs.find(({ name }) => name === basename(path))?.arguments ?? [],
});

/** Returns the kind of entry at a path: a folder may have the name `llama`; "file" cannot be executed. */
async function look(path: string): Promise<"program" | "folder" | "file" | "nothing"> {
  try {
    if (!(await stat(path)).isFile()) return "folder";
  } catch {
    return "nothing";
  }
  return access(path, constants.X_OK).then(
    () => "program",
    () => "file",
  );
}

/**
 * Fails with engine_incompatible or engine_ended if the program does not run here. Runs `--version`, which prints
 * `version: 0.7.0 (build 11669, …)` or `version: 6700 (abc)`, and `--help`.
 */
export async function checkProgram(
  place: EngineProgram,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<Result<CheckedProgram>> {
  const version = await runAndRead(place, ["--version"], environment, signal);
  if (!version.ok) return version;
  const { output, wholeErrorOutput, exit, signal: endSignal } = version.value;
  const text = `${output}${wholeErrorOutput}`;
  const found = /^version: (.+)$/m.exec(text)?.[1];
  // Another program may have the name `llama`.
  if (exit !== 0 || found === undefined)
    return { ok: false, error: findEngineError(text.split("\n"), { code: exit, signal: endSignal }) };
  const help = await runAndRead(place, [...place.arguments, "--help"], environment, signal);
  if (!help.ok) return help;
  const supports = readHelpOptions(help.value.output);
  return ok({ ...place, version: found.trim(), isInstalled: false, ...(supports.size > 0 && { supports }) });
}

/** Options in llama.cpp's help: each at the start of a line, with its other names behind commas. */
export const readHelpOptions = (help: string): ReadonlySet<string> =>
  new Set(
    help
      .split("\n")
      .filter((line) => line.startsWith("-"))
      .flatMap((line) => /^(?:-[\w-]+,\s*)*-[\w-]+/.exec(line)?.[0].split(/,\s*/) ?? [])
      .filter((option) => /^--[a-z]/.test(option)),
  );

async function runAndRead(
  { program }: EngineProgram,
  arguments_: readonly string[],
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<Result<ProgramOutput>> {
  const variables = modelServerVariables(environment);
  const options = {
    program,
    arguments: arguments_,
    environment: variables,
    timeoutMs: checkMs,
    maxBytes: maxOutputBytes,
  };
  const run = await readProgramOutput(options, signal);
  // Its loader is missing, as on systems with another C library, or the file system does not run programs.
  if (!run.ok) return run.error.code === "aborted" ? run : fail("engine_incompatible", run.error.detail);
  const { ended } = run.value;
  if (ended === null) return run;
  return ended === "aborted" ? fail("aborted") : fail("engine_ended", ended, { exit: ended });
}
