/**
 * `gopi-web eval`: runs the evals with one or more models. A client of the home's server, which runs them; prints each
 * result and a table of the totals.
 */
import { isSameEvalModel, type EvalModel, type EvalRun } from "@/lib/evals/evals";
import { parseModelName } from "@/lib/models/parse-model-name";
import type { Push } from "@/lib/protocol/push";
import type { EvalArguments } from "../arguments/parse-arguments";
import { printable } from "../arguments/options";
import { RunFailure } from "../cli-error-text";
import { fetchWelcome, resolveTestedModel } from "../resolve-model";
import { abortedExitCode, callOrThrow, followServerJob, makeExitCode, runInterruptible } from "../server-job";
import type { SessionLink } from "../session-link";
import { evalModelLine, evalProblemLine, evalResultLine, evalTable } from "./eval-lines";

/** Exit code: 0 all tasks ran, 1 a model was left out or the run failed, 130 stopped. */
export const runEval = (command: EvalArguments): Promise<number> =>
  runInterruptible((signal, leave) => followServerJob(command, evalJob(command), signal, leave));

const evalJob = ({ json, models, tasks }: EvalArguments) => ({
  name: "eval",
  follower: makeEvalFollower(json),
  start: async (link: SessionLink): Promise<EvalRun> =>
    callOrThrow(link, "evals.start", {
      models: await resolveModels(link, models),
      tasks: await checkTasks(link, tasks),
    }),
  stop: (link: SessionLink) => link.call("evals.stop", {}),
});

async function resolveModels(link: SessionLink, named: readonly string[]): Promise<EvalModel[]> {
  if (named.length === 0) return [await resolveTestedModel(link, null)];
  const { models, connections } = await fetchWelcome((name, input) => callOrThrow(link, name, input));
  return named.map((name) => parseModelName(name, models.models, connections));
}

const unconfinedNote = "the sandbox does not work here: programs that a model runs with node have your rights";

/** Prints the problems of task files, and that programs are not confined. Throws RunFailure for an unknown task. */
async function checkTasks(link: SessionLink, wanted: readonly string[] | null): Promise<string[] | undefined> {
  const { tasks, problems, isSandboxed } = await callOrThrow(link, "evals.list", {});
  if (!isSandboxed) process.stderr.write(`gopi-web: ${unconfinedNote}\n`);
  for (const { file, field, detail } of problems)
    process.stderr.write(`gopi-web: ${printable([file, field, detail].filter((part) => part !== "").join(": "))}\n`);
  const unknown = wanted?.find((id) => !tasks.some((task) => task.id === id));
  if (unknown === undefined) return wanted === null ? undefined : [...wanted];
  throw new RunFailure(`there is no task ${printable(unknown)}; the tasks are ${tasks.map(({ id }) => id).join(", ")}`);
}

/** Prints each result once, and detects the end. */
function makeEvalFollower(json: boolean) {
  let printed = 0;
  let model: EvalModel | null = null;
  let begun = false;
  const exitCode = makeExitCode();
  const early: EvalRun[] = [];
  const write = (line: string): void => void process.stdout.write(`${line}\n`);

  function show(run: EvalRun): void {
    if (exitCode.isSet()) return;
    for (const result of run.results.slice(printed)) {
      printed += 1;
      if (json) write(JSON.stringify(result));
      else {
        if (model === null || !isSameEvalModel(model, result.model)) write(evalModelLine(result.model));
        model = result.model;
        write(evalResultLine(result));
      }
    }
    if (run.current !== null) return;
    for (const line of json ? [] : ["", ...evalTable(run)]) write(line);
    for (const problem of run.problems) process.stderr.write(`gopi-web: ${evalProblemLine(problem)}\n`);
    exitCode.set(run.isStopped ? abortedExitCode : run.problems.length > 0 ? 1 : 0);
  }
  return {
    onPush(push: Push): void {
      if (push.type !== "evals") return;
      if (begun) show(push.run);
      else early.push(push.run);
    },
    begin(run: EvalRun): void {
      begun = true;
      for (const each of [run, ...early.splice(0)]) show(each);
    },
    end: exitCode.wait,
  };
}
