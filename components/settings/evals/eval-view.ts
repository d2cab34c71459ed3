/** Derives what the page "Compare models" shows. Pure. */
import {
  countSlips,
  type EvalModel,
  type EvalOverview,
  type EvalResult,
  type EvalRun,
  isSameEvalModel,
} from "@/lib/evals/evals";
import { canChat } from "@/lib/models/can-chat";
import type { Connection, ModelServerState } from "@/lib/models/models";

export type EvalCell =
  | { readonly state: "solved" | "failed"; readonly result: EvalResult }
  | { readonly state: "running" | "waiting" | "none" };

/** Text that identifies a model in sets and keys. */
export const evalModelKey = ({ name, connection }: EvalModel): string =>
  connection === undefined ? name : `${connection}/${name}`;

type ActiveRun = EvalRun & { readonly current: NonNullable<EvalRun["current"]> };
export const isRunActive = (run: EvalRun | null): run is ActiveRun => run !== null && run.current !== null;

/** Models that can be chosen: those of Ollama, then those of the connections. */
export function listEvalModels(
  server: ModelServerState | undefined,
  connections: readonly Connection[],
): readonly EvalModel[] {
  const ofConnection = ({ id, model, server: own }: Connection): readonly EvalModel[] => {
    const names = (own?.models ?? []).filter(canChat).map(({ name }) => name);
    const all = names.length === 0 && model !== "" ? [model] : names;
    return all.map((name) => ({ name, connection: id }));
  };
  const installed = (server?.models ?? []).filter(canChat).map(({ name }) => ({ name }));
  return [...installed, ...connections.flatMap(ofConnection)];
}

/** The stored results with those of the run, which are newer. */
export function mergeEvalResults({ results, run }: EvalOverview): readonly EvalResult[] {
  const isReplaced = (old: EvalResult): boolean =>
    (run?.results ?? []).some(({ model, task }) => task === old.task && isSameEvalModel(model, old.model));
  return [...results.filter((result) => !isReplaced(result)), ...(run?.results ?? [])];
}

/** Models with a column: the chosen ones, then others that have results or are in the active run. */
export function listColumns(
  chosen: readonly EvalModel[],
  { run }: EvalOverview,
  results: readonly EvalResult[],
): readonly EvalModel[] {
  const running = isRunActive(run) ? run.models : [];
  const columns = new Map<string, EvalModel>();
  for (const model of [...chosen, ...running, ...results.map((result) => result.model)])
    columns.set(evalModelKey(model), model);
  return [...columns.values()];
}

export function evalCell(
  { run }: EvalOverview,
  results: readonly EvalResult[],
  model: EvalModel,
  task: string,
): EvalCell {
  if (isRunActive(run)) {
    const { current } = run;
    if (current.task === task && isSameEvalModel(current.model, model)) return { state: "running" };
    const isPart = run.tasks.includes(task) && run.models.some((one) => isSameEvalModel(one, model));
    const isLeftOut = run.problems.some((problem) => isSameEvalModel(problem.model, model));
    const isDone = run.results.some((one) => one.task === task && isSameEvalModel(one.model, model));
    if (isPart && !isDone && !isLeftOut) return { state: "waiting" };
  }
  const result = results.find((one) => one.task === task && isSameEvalModel(one.model, model));
  if (result === undefined) return { state: "none" };
  return { state: result.failure === undefined ? "solved" : "failed", result };
}

/** A table with one row per result. Cells that a spreadsheet would take for a formula are quoted as text. */
export function evalCsv(results: readonly EvalResult[]): string {
  const head = "model,task,solved,reason,steps,prompt_tokens,output_tokens,seconds,slips,at";
  const rows = results.map((result) =>
    [
      evalModelKey(result.model),
      result.task,
      result.failure === undefined ? "yes" : "no",
      result.failure?.why ?? "",
      result.steps,
      result.promptTokens,
      result.outputTokens,
      (result.tookMs / 1000).toFixed(1),
      countSlips(result.slips),
      new Date(result.at).toISOString(),
    ]
      .map((cell) => csvCell(String(cell)))
      .join(","),
  );
  return `${[head, ...rows].join("\n")}\n`;
}

function csvCell(text: string): string {
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
