/** Runs the scripts of enabled extensions: with their environment, in their folder, and only as they were enabled. */
import type { Json } from "@/lib/events/content";
import { fail, type Result } from "@/lib/events/error";
import type { FeatureHost } from "../feature";
import type { ScriptRun } from "./definition/read-definition";
import type { Extensions, ProjectExtensions, StatedExtension } from "./extensions";
import type { RunLog, RunLogs } from "./run-logs";
import { runScript, type ScriptResult, type ScriptStart } from "./run-script";
import { namedVariables, scriptEnvironment, scriptFolder } from "./script-environment";
import { describeEnd, describeStartProblem } from "./script-output";

export interface ScriptWork {
  readonly extension: StatedExtension;
  readonly project: Pick<ProjectExtensions, "root" | "isTrusted">;
  readonly run: ScriptRun;
  /** For the log, as in `tool lookup`. */
  readonly title: string;
}

export interface ScriptRuns {
  /** How the script would be started now; fails with changed_meanwhile if its files are not those that were enabled. */
  prepare(
    work: ScriptWork,
    signal: AbortSignal,
  ): Promise<Result<{ readonly start: ScriptStart; readonly log: RunLog }>>;
  /** Fails with changed_meanwhile, and as `runScript` does. */
  run(
    work: ScriptWork & { readonly input: Json; readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<Result<ScriptResult>>;
}

interface ScriptRunsOptions extends Pick<FeatureHost, "environment" | "leftovers" | "settings"> {
  readonly extensions: Pick<Extensions, "isUnchanged">;
  readonly logs: RunLogs;
}

export function makeScriptRuns({ environment, leftovers, settings, extensions, logs }: ScriptRunsOptions): ScriptRuns {
  const prepare: ScriptRuns["prepare"] = async ({ extension, project, run }, signal) => {
    if (!(await extensions.isUnchanged(extension, signal))) return fail("changed_meanwhile");
    const variables = namedVariables(environment, extension.definition.variables);
    const place = { ...project, folder: extension.folder };
    const start = {
      run,
      folder: extension.folder,
      cwd: scriptFolder(place),
      environment: scriptEnvironment(environment, settings().shellEnvironment, variables, place),
      leftovers,
    };
    return { ok: true, value: { start, log: logs.of(extension.path, variables) } };
  };
  return {
    prepare,
    async run(work, signal) {
      const prepared = await prepare(work, signal);
      if (!prepared.ok) return prepared;
      const { start, log } = prepared.value;
      log.note(work.title);
      const { input, timeoutMs } = work;
      const result = await runScript({ ...start, input, timeoutMs, onText: log.output }, signal);
      if (!result.ok) log.note(`${work.title} could not be started: ${describeStartProblem(result.error.facts)}`);
      else log.note(describeEnd({ ...result.value, errorTail: "" }, work.title, timeoutMs) ?? `${work.title} ended.`);
      return result;
    },
  };
}
