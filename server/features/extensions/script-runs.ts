/** Runs the scripts of enabled extensions: with their environment, in their folder, and only as they were enabled. */
import type { Json } from "@/lib/events/content";
import { fail, ok, type Result, thrownText } from "@/lib/events/error";
import type { FeatureHost } from "../feature";
import type { ScriptRun } from "./definition/read-definition";
import type { ExtensionContent } from "./extension-files";
import type { Extensions, ProjectExtensions, StatedExtension } from "./extensions";
import type { RunLog, RunLogs } from "./run-logs";
import { runScript, type ScriptResult, type ScriptStart, startFailure } from "./run-script";
import type { ScriptCopies, ScriptCopy } from "./script-copies";
import { describeEnd, describeStartProblem } from "./script-output";
import { pathWithoutProject, shellEnvironment } from "@/server/security/environment/shell-environment";

interface ScriptPlace {
  /** Real path of the project. */
  readonly root: string;
  readonly isTrusted: boolean;
  /** Real path of the extension. */
  readonly folder: string;
}

/**
 * The environment and working folder of a script. Returns the folder in which a script is started. In a project that
 * the user does not trust it is that of the extension: interpreters read files of the folder in which they are started.
 */
const scriptFolder = ({ root, isTrusted, folder }: ScriptPlace): string => (isTrusted ? root : folder);

/** The variables of the user's environment that the extension names. */
function namedVariables(environment: NodeJS.ProcessEnv, names: readonly string[]): { readonly [name: string]: string } {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Programs are not looked up in folders of the project: its files would be run in place of an interpreter. */
function scriptEnvironment(
  environment: NodeJS.ProcessEnv,
  extraNames: readonly string[],
  variables: { readonly [name: string]: string },
  place: ScriptPlace,
): { readonly [name: string]: string } {
  const scrubbed = shellEnvironment(environment, extraNames);
  return {
    ...scrubbed,
    // Compiled files beside a script would change the hash of the extension.
    // cspell:disable-next-line
    PYTHONDONTWRITEBYTECODE: "1",
    ...variables,
    PATH: pathWithoutProject(place.root, variables.PATH ?? scrubbed.PATH),
    PWD: scriptFolder(place),
  };
}

interface ScriptWork {
  readonly extension: StatedExtension;
  readonly project: Pick<ProjectExtensions, "root" | "isTrusted">;
  readonly run: ScriptRun;
  /** For the log, as in `tool lookup`. */
  readonly title: string;
}

export interface ScriptRuns {
  /**
   * Prepares the start of the script from a copy, which the start deletes. Fails with changed_meanwhile if its files are
   * not those that were enabled, and with tool_failed if they cannot be copied. Rejects when the signal fires.
   */
  prepare(
    work: ScriptWork,
    signal: AbortSignal,
  ): Promise<Result<{ readonly start: ScriptStart; readonly log: RunLog }>>;
  /**
   * Fails as `prepare` and `runScript` do, and with changed_meanwhile if the extension is disabled before the start. After
   * that the script ends with `aborted`.
   */
  run(
    work: ScriptWork & { readonly input: Json; readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<Result<ScriptResult>>;
  /** Ends the scripts of extensions that were disabled, and of those whose project is not trusted any more. */
  endDisabled(): void;
}

interface ScriptRunsOptions extends Pick<FeatureHost, "environment" | "leftovers" | "settings"> {
  readonly extensions: Pick<Extensions, "readEnabled" | "isEnabled" | "isTrusted">;
  readonly logs: RunLogs;
  readonly copies: ScriptCopies;
}

export function makeScriptRuns({
  environment,
  leftovers,
  settings,
  extensions,
  logs,
  copies,
}: ScriptRunsOptions): ScriptRuns {
  const prepare: ScriptRuns["prepare"] = async ({ extension, project, run }, signal) => {
    const files = await extensions.readEnabled(extension, signal);
    if (files === null) return fail("changed_meanwhile");
    const copied = await makeCopy(copies, files);
    if (!copied.ok) return copied;
    const copy = copied.value;
    const variables = namedVariables(environment, extension.definition.variables);
    const isTrusted = project.isTrusted && extensions.isTrusted(project.root);
    const place = { root: project.root, isTrusted, folder: copy.folder };
    const start = {
      run,
      folder: extension.folder,
      copy,
      cwd: scriptFolder(place),
      environment: scriptEnvironment(environment, settings().shellEnvironment, variables, place),
      leftovers,
    };
    return { ok: true, value: { start, log: logs.of(extension.path, variables) } };
  };
  const runOnce: ScriptRuns["run"] = async (work, signal) => {
    const prepared = await prepare(work, signal);
    if (!prepared.ok) return prepared;
    const { start, log } = prepared.value;
    log.note(work.title);
    const { input, timeoutMs } = work;
    const result = await runScript({ ...start, input, timeoutMs, onText: log.output }, signal);
    if (!result.ok) log.note(`${work.title} could not be started: ${describeStartProblem(result.error)}`);
    else log.note(describeEnd({ ...result.value, errorTail: "" }, work.title, timeoutMs) ?? `${work.title} ended.`);
    return result;
  };
  const running = new Set<{ readonly extension: StatedExtension; readonly cancel: AbortController }>();
  return {
    prepare,
    async run(work, signal) {
      const cancel = new AbortController();
      const entry = { extension: work.extension, cancel };
      running.add(entry);
      try {
        return await runOnce(work, AbortSignal.any([signal, cancel.signal]));
      } catch (error) {
        signal.throwIfAborted();
        if (cancel.signal.aborted) return fail("changed_meanwhile");
        throw error;
      } finally {
        running.delete(entry);
      }
    },
    endDisabled() {
      for (const { extension, cancel } of running) if (!extensions.isEnabled(extension)) cancel.abort();
    },
  };
}

async function makeCopy(copies: ScriptCopies, files: ExtensionContent["files"]): Promise<Result<ScriptCopy>> {
  try {
    return ok(await copies.make(files));
  } catch (error) {
    const detail = thrownText(error);
    return startFailure({ reason: "not_copied", folder: copies.folder, detail });
  }
}
