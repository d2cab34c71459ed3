"use client";
/** Totals per model and the table of tasks and models, with the choice of the tasks and the export. */
import { type EvalModel, type EvalOverview, type EvalResult, isSameEvalModel, sumEvalResults } from "@/lib/evals/evals";
import { saveFile } from "../../ui/browser/save-file";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { useFullMessages } from "../../messages/full-messages";
import { OpenItemButton } from "../item-section/open-item-button";
import { EvalMark, EvalModelName, taskTitle } from "./eval-names";
import { evalCell, evalCsv, evalModelKey, isRunActive } from "./eval-view";

interface EvalResultsProps {
  readonly overview: EvalOverview;
  readonly results: readonly EvalResult[];
  readonly columns: readonly EvalModel[];
  /** Ids of tasks that the next run leaves out. */
  readonly leftOut: ReadonlySet<string>;
  readonly onLeftOut: (tasks: ReadonlySet<string>) => void;
}

export function EvalResults(props: EvalResultsProps) {
  const { overview, results, columns } = props;
  const text = useFullMessages().evals;
  const listed = new Set(overview.tasks.map(({ id }) => id));
  const counted = results.filter(({ task }) => listed.has(task));
  return (
    <>
      {counted.length > 0 && <Totals results={counted} columns={columns} />}
      <section aria-label={text.results} className="mb-8 grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="mr-auto text-title font-semibold">{text.results}</h2>
          {counted.length > 0 && (
            <>
              <Button
                size="small"
                onClick={() =>
                  saveFile(`${JSON.stringify(counted, null, 2)}\n`, "evals.json", "application/json;charset=utf-8")
                }
              >
                {text.exportJson}
              </Button>
              <Button size="small" onClick={() => saveFile(evalCsv(counted), "evals.csv", "text/csv;charset=utf-8")}>
                {text.exportCsv}
              </Button>
            </>
          )}
        </div>
        <ResultTable {...props} />
        <OwnTasks overview={overview} />
      </section>
    </>
  );
}

const numberCell = "px-2 py-1.5 text-right tabular-nums whitespace-nowrap";

interface TotalsProps {
  readonly results: readonly EvalResult[];
  readonly columns: readonly EvalModel[];
}

function Totals({ results, columns }: TotalsProps) {
  const { evals: text, figures } = useFullMessages();
  const heads = [text.solved, text.steps, text.tokensRead, text.tokensWritten, text.time, text.slips];
  return (
    <section aria-label={text.totals} className="mb-8 grid gap-2">
      <h2 className="text-title font-semibold">{text.totals}</h2>
      <div className="overflow-x-auto rounded-card border border-line bg-raised">
        <table className="w-full border-collapse">
          <thead className="text-small text-ink-muted">
            <tr className="border-b border-line">
              <th scope="col" className="px-3 py-1.5 text-left font-normal">
                {text.model}
              </th>
              {heads.map((head) => (
                <th key={head} scope="col" className="px-2 py-1.5 text-right font-normal">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {columns.map((model) => {
              const totals = sumEvalResults(results.filter((result) => isSameEvalModel(result.model, model)));
              return (
                <tr key={evalModelKey(model)}>
                  <th scope="row" className="min-w-32 px-3 py-1.5 text-left font-normal">
                    <EvalModelName model={model} />
                  </th>
                  <td className={`${numberCell} font-medium`}>{text.solvedOf(totals.solved, totals.tasks)}</td>
                  <td className={numberCell}>{figures.number(totals.steps)}</td>
                  <td className={numberCell}>{figures.tokens(totals.promptTokens)}</td>
                  <td className={numberCell}>{figures.tokens(totals.outputTokens)}</td>
                  <td className={numberCell}>{figures.duration(totals.tookMs)}</td>
                  <td className={numberCell}>{figures.number(totals.slips)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function ResultTable({ overview, results, columns, leftOut, onLeftOut }: EvalResultsProps) {
  const { evals: text, figures } = useFullMessages();
  const isRunning = isRunActive(overview.run);
  const change = (ids: readonly string[], isIncluded: boolean): void =>
    onLeftOut(new Set(isIncluded ? [...leftOut].filter((id) => !ids.includes(id)) : [...leftOut, ...ids]));
  return (
    <div className="overflow-x-auto rounded-card border border-line bg-raised">
      <table className="w-full border-collapse">
        <thead className="text-small text-ink-muted">
          <tr className="border-b border-line">
            <th scope="col" className="sticky left-0 bg-raised px-3 py-1.5 text-left font-normal">
              <label className="flex items-center gap-2 max-tablet:min-h-11">
                <input
                  type="checkbox"
                  aria-label={text.allTasks}
                  checked={leftOut.size === 0}
                  disabled={isRunning}
                  onChange={(event) =>
                    change(
                      overview.tasks.map(({ id }) => id),
                      event.target.checked,
                    )
                  }
                  className="size-4 shrink-0 accent-accent"
                />
                {text.tasks}
              </label>
            </th>
            {columns.map((model) => (
              <th key={evalModelKey(model)} scope="col" className="min-w-20 px-2 py-1.5 text-center font-normal">
                <EvalModelName model={model} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {overview.tasks.map((task) => {
            const title = taskTitle(task, figures.locale);
            return (
              <tr key={task.id} className="hover:bg-hover">
                <th scope="row" className="sticky left-0 bg-raised px-3 py-1 text-left font-normal">
                  <span className="flex min-h-7 items-center gap-2 max-tablet:min-h-11">
                    <input
                      type="checkbox"
                      aria-label={text.chooseTask(title)}
                      checked={!leftOut.has(task.id)}
                      disabled={isRunning}
                      onChange={(event) => change([task.id], event.target.checked)}
                      className="size-4 shrink-0 accent-accent"
                    />
                    <OpenItemButton item={task.id} look="link">
                      {title}
                    </OpenItemButton>
                    {task.source === "user" && <Chip>{text.yours}</Chip>}
                  </span>
                </th>
                {columns.map((model) => (
                  <td key={evalModelKey(model)} className="px-2 py-1 text-center align-middle">
                    <EvalMark state={evalCell(overview, results, model, task.id).state} />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Shows the folder of the user's own tasks, and the problems with them. */
function OwnTasks({ overview }: { readonly overview: EvalOverview }) {
  const text = useFullMessages().evals;
  return (
    <>
      <p className="text-small text-ink-muted">
        {text.ownTasks} <code className="font-mono break-all">{overview.folder}</code>
      </p>
      {overview.problems.length > 0 && (
        <div role="status" className="text-small">
          <p className="text-danger">{text.problem}</p>
          <ul className="list-disc pl-5">
            {overview.problems.map(({ file, field, detail }) => (
              <li key={file} className="[overflow-wrap:anywhere]">
                <code className="font-mono">{file}</code>: {field === "" ? "" : `${field} `}
                {detail}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
