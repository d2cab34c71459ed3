/** Finds llama.cpp's server on this machine and checks that it runs. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { runProcess } from "@/server/base/run-process";
import { modelServerVariables } from "@/server/models/model-server-variables";
import { findEngineError } from "./host/engine-errors";
import type { EngineProgram } from "./host/engine-process";
import { findInstalledFile, installedFolder } from "./program/installed-program";

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
/** Folders of package managers that may not be in the PATH of a program started from a desktop. */
const usualFolders: readonly string[] = ["/opt/homebrew/bin", "/usr/local/bin", "/home/linuxbrew/.linuxbrew/bin"];
const versionMs = 20_000;

/**
 * Checks the named program, else those of the PATH, of the usual folders and the one fetched into `folder`, the engine's;
 * the first that runs counts. null = there is none. Fails with the reason why the only ones there are do not run:
 * engine_incompatible, engine_ended.
 */
export async function findEngineProgram(
  environment: NodeJS.Dict<string>,
  folder: string,
  signal: AbortSignal,
): Promise<Result<CheckedProgram | null>> {
  const named = environment[programVariable]?.trim() ?? "";
  const path = (environment.PATH ?? "").split(delimiter).filter(isAbsolute);
  const places = [...new Set([...path, ...usualFolders])].flatMap((folder) =>
    programs.map(({ name, arguments: before }) => ({ program: join(folder, name), arguments: before })),
  );
  const wanted: readonly EngineProgram[] = named === "" ? places : [{ program: named, arguments: [] }];
  let problem: Result<null> = ok(null);
  for (const place of wanted) {
    if (!(await isExecutable(place.program))) continue;
    const checked = await checkProgram(place, environment, signal);
    if (checked.ok) return checked;
    problem = checked;
  }
  const installed = named === "" ? await findInstalledFile(installedFolder(folder)) : null;
  if (installed === null) return problem;
  const checked = await checkProgram({ program: installed, arguments: [] }, environment, signal);
  return checked.ok ? ok({ ...checked.value, isInstalled: true }) : checked;
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/**
 * Fails with engine_incompatible or engine_ended if the program does not run here. Runs `--version`, which prints `version: 0.7.0 (build 11669, …)` or
 * `version: 6700 (abc)`.
 */
export async function checkProgram(
  place: EngineProgram,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<Result<CheckedProgram>> {
  let text = "";
  const run = await runProcess(
    {
      program: place.program,
      arguments: ["--version"],
      environment: modelServerVariables(environment),
      timeoutMs: versionMs,
      maxBytes: 65_536,
      onOutput(chunk) {
        text += chunk.toString("utf8");
        return "more";
      },
      onErrorOutput: (chunk) => {
        text += chunk;
      },
    },
    signal,
  );
  if (!run.ok) return run;
  const { exit, ended } = run.value;
  const version = /^version: (.+)$/m.exec(text)?.[1];
  if (ended !== null) return fail(ended === "aborted" ? "aborted" : "timeout", place.program);
  // Another program may have the name `llama`.
  if (exit === 0 && version !== undefined) return ok({ ...place, version: version.trim(), isInstalled: false });
  return { ok: false, error: findEngineError(text.split("\n"), { code: exit, signal: run.value.signal }) };
}
