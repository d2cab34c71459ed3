/** Evals with the models and sessions of this server: the tasks of the program and those in the user's home folder. */
import { join } from "node:path";
import { fail, ok } from "@/lib/events/error";
import type { EvalModel, EvalOverview, EvalResult } from "@/lib/evals/evals";
import { createEvalResults, type EvalResultStore } from "@/server/store/models/eval-results";
import { untilAborted } from "@/server/base/abort";
import { findServedModel } from "@/server/models/access/find-model";
import { modelNoteKey } from "@/server/models/notes/model-note-cache";
import { makeSandbox } from "@/server/workspace/shell/sandbox";
import type { Feature, FeatureHost } from "../feature";
import { builtInEvalsFolder, type EvalTask, readEvalTasks } from "./eval-task";
import { makeEvalRuns } from "./eval-runs";
import { runEvalTask } from "./run-eval-task";

type EvalsHost = Pick<
  FeatureHost,
  "store" | "access" | "services" | "environment" | "home" | "leftovers" | "push" | "reportBug" | "now"
>;

export function evalsFeature(host: EvalsHost) {
  const { access, services } = host;
  const results = createEvalResults(host.store.database);
  const folder = join(host.home, "evals");
  const { environment, home } = host;
  const sandbox = makeSandbox({ environment, home, setting: () => ({ network: false }) });
  const runs = makeEvalRuns({
    async prepare(wanted, signal) {
      const found = await findServedModel(access, wanted.connection ?? "ollama", wanted.name, signal);
      if (!found.ok) return found;
      const { server, model } = found.value;
      const named: EvalModel = { ...wanted, name: model.name };
      return ok({
        model: named,
        async runTask(task, within) {
          const choice = services.chooseModel(named);
          if (choice === null) return fail("model_missing", undefined, { model: named.name });
          return ok(await runEvalTask(task, choice, { ...host, sandbox }, within));
        },
        save: (result, transcript) =>
          results.write({ key: modelNoteKey(server.keyOf(named.name)), result }, transcript),
      });
    },
    onRun: (run) => host.push({ type: "evals", run }),
    onBug: (error) => host.reportBug("evals", error),
    now: host.now,
  });
  return {
    commands: {
      async "evals.list"() {
        const { tasks, problems } = readAllTasks(folder);
        const listed = tasks.map(({ id, title, titles, prompt, source }) => ({ id, title, titles, prompt, source }));
        return ok<EvalOverview>({
          tasks: listed,
          problems,
          folder,
          isSandboxed: (await sandbox.state()).works,
          results: currentResults(results, host),
          run: runs.current(),
        });
      },
      async "evals.start"({ models, tasks: ids }) {
        const { tasks } = readAllTasks(folder);
        const unknown = ids?.find((id) => !tasks.some((task) => task.id === id));
        if (unknown !== undefined) return fail("not_found", unknown);
        return runs.start(models, ids === undefined ? tasks : tasks.filter(({ id }) => ids.includes(id)));
      },
      "evals.stop": () => {
        runs.stop();
        return ok(null);
      },
      "evals.transcript": ({ model, task }) => {
        const text = results.transcript(model, task);
        return text === undefined ? fail("not_found") : ok({ text });
      },
    },
    async start(signal) {
      await untilAborted(signal);
      await runs.close();
    },
    keepsAlive: runs.isRunning,
    usedModel: () => (runs.isRunning() ? (runs.current()?.current?.model.name ?? null) : null),
  } satisfies Feature;
}

/** A task of the user replaces one of the program with the same id. */
function readAllTasks(folder: string) {
  const own = readEvalTasks(builtInEvalsFolder(), "built-in");
  const user = readEvalTasks(folder, "user");
  const isReplaced = ({ id }: EvalTask): boolean => user.tasks.some((task) => task.id === id);
  return {
    tasks: [...own.tasks.filter((task) => !isReplaced(task)), ...user.tasks],
    problems: [...own.problems, ...user.problems],
  };
}

/** The newest result of each task and model name, except those of files of the model that were replaced since. */
function currentResults(results: EvalResultStore, { access }: Pick<EvalsHost, "access">): readonly EvalResult[] {
  const newest = new Map<string, EvalResult>();
  for (const { key, result } of results.list()) {
    const { name, connection = "ollama" } = result.model;
    const server = access.servers.get(connection);
    const isListed = server?.facts().models.some((model) => model.name === name) ?? false;
    if (isListed && server !== undefined && modelNoteKey(server.keyOf(name)) !== key) continue;
    newest.set(JSON.stringify([connection, name, result.task]), result);
  }
  return [...newest.values()];
}
