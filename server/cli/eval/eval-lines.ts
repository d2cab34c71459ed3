/** Formats the progress and the totals of evals as lines of text. Pure. */
import { type EvalModel, type EvalResult, type EvalRun, isSameEvalModel, sumEvalResults } from "@/lib/evals/evals";
import { printable } from "../arguments/options";
import { cliErrorText } from "../cli-error-text";

const failureTexts = {
  check: "its check failed",
  files: "a file is not as expected",
  answer: "the answer lacks a text",
  time: "time limit",
  steps: "step limit",
  error: "error",
} as const;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const modelText = ({ name, connection }: EvalModel): string =>
  printable(connection === undefined ? name : `${connection}/${name}`);

/** One finished task. */
export function evalResultLine({ task, failure, steps, tookMs, outputTokens }: EvalResult): string {
  const error = failure?.error === undefined ? "" : `: ${cliErrorText(failure.error)}`;
  const reason = failure === undefined ? "" : ` (${failureTexts[failure.why]}${error})`;
  const mark = failure === undefined ? "solved" : "failed";
  return `  ${task.padEnd(24)}${mark}  ${seconds(tookMs)}, ${steps} steps, ${outputTokens} tokens written${reason}`;
}

export const evalModelLine = (model: EvalModel): string => `${modelText(model)}:`;

export const evalProblemLine = ({ model, error }: EvalRun["problems"][number]): string =>
  `${modelText(model)} was left out: ${cliErrorText(error)}`;

/** The totals of all models as a table with a head. */
export function evalTable({ models, results }: EvalRun): readonly string[] {
  const rows = models.map((model) => {
    const totals = sumEvalResults(results.filter((result) => isSameEvalModel(result.model, model)));
    const { solved, tasks, steps, promptTokens, outputTokens, tookMs, slips } = totals;
    const figures = [`${solved}/${tasks}`, steps, promptTokens, outputTokens, seconds(tookMs), slips];
    return [modelText(model), ...figures.map(String)];
  });
  const head = ["model", "solved", "steps", "tokens read", "written", "time", "slips"];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}
