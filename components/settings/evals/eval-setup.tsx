"use client";
/** Choice of the models, start and stop, and the progress of the run. */
import type { EvalModel, EvalOverview, EvalRun, EvalTaskInfo } from "@/lib/evals/evals";
import { useClient } from "../../state/client";
import { commandQuery } from "../../state/command-query";
import { Button } from "../../ui/controls/button";
import { Spinner } from "../../ui/indicators/spinner";
import { useFullMessages } from "../../messages/full-messages";
import { useChange } from "../../state/use-change";
import { EvalModelName, taskTitle } from "./eval-names";
import { evalModelKey, isRunActive } from "./eval-view";
import { withBasePath } from "../../state/base-path";
import { SectionTitle } from "../item-section/section-title";

interface EvalSetupProps {
  readonly overview: EvalOverview;
  readonly models: readonly EvalModel[];
  readonly chosen: readonly EvalModel[];
  readonly tasks: readonly EvalTaskInfo[];
  readonly onChosen: (models: readonly EvalModel[]) => void;
}

export function EvalSetup({ overview, models, chosen, tasks, onChosen }: EvalSetupProps) {
  const text = useFullMessages().evals;
  const { perform } = useChange("toast", { busy: text.busy });
  const { cache } = useClient();
  const { run } = overview;
  const start = async (): Promise<void> => {
    const input = { models: [...chosen], tasks: tasks.map(({ id }) => id) };
    const started = await perform("evals.start", input);
    // A push may have arrived before this answer and is newer.
    cache.setQueryData(commandQuery("evals.list", {}).queryKey, (data) =>
      data === undefined || started === undefined || data.run !== run ? data : { ...data, run: started },
    );
  };
  const toggle = (model: EvalModel, isChosen: boolean): void =>
    onChosen(models.filter((one) => (one === model ? isChosen : chosen.includes(one))));
  const isComplete = chosen.length > 0 && tasks.length > 0;
  return (
    <section aria-label={text.title} className="mb-8 grid gap-4">
      <div>
        <SectionTitle title={text.title} />
        <p className="max-w-[64ch] text-ink-muted">{text.about}</p>
        <p className="max-w-[64ch] text-ink-muted">{text.commands}</p>
        {!overview.isSandboxed && <p className="max-w-[64ch] text-ask">{text.unconfined}</p>}
      </div>
      {models.length === 0 ? (
        <p>
          {text.noModels}{" "}
          <a href={withBasePath("/settings/model")} className="text-accent underline">
            {text.openModels}
          </a>
        </p>
      ) : (
        <fieldset disabled={isRunActive(run)} className="grid gap-1">
          <legend className="mb-1 font-medium">{text.models}</legend>
          {models.map((model) => (
            <label key={evalModelKey(model)} className="flex min-h-7 w-fit items-center gap-2 max-tablet:min-h-11">
              <input
                type="checkbox"
                checked={chosen.includes(model)}
                onChange={(event) => toggle(model, event.target.checked)}
                className="size-4 shrink-0 accent-accent"
              />
              <EvalModelName model={model} />
            </label>
          ))}
        </fieldset>
      )}
      {(models.length > 0 || isRunActive(run)) && (
        <div className="flex flex-wrap items-center gap-3">
          {isRunActive(run) && <Progress run={run} tasks={overview.tasks} />}
          {/* The same element starts and stops, so that it keeps the focus. */}
          <Button
            look={isRunActive(run) ? "plain" : "primary"}
            disabled={!isRunActive(run) && !isComplete}
            onClick={() => void (isRunActive(run) ? perform("evals.stop", {}) : start())}
          >
            {isRunActive(run) ? text.stop : text.start(tasks.length, chosen.length)}
          </Button>
          {!isRunActive(run) && !isComplete && <p className="text-ink-muted">{text.chooseFirst}</p>}
        </div>
      )}
      {run !== null && <RunNotes run={run} />}
    </section>
  );
}

interface ProgressProps {
  readonly run: EvalRun;
  readonly tasks: readonly EvalTaskInfo[];
}

function Progress({ run, tasks }: ProgressProps) {
  const messages = useFullMessages();
  const text = messages.evals;
  const { current, results, models } = run;
  const task = tasks.find(({ id }) => id === current?.task);
  return (
    <div className="flex min-w-0 flex-1 basis-64 items-start gap-2">
      <Spinner className="mt-0.5 shrink-0 text-accent" />
      <div role="status" className="min-w-0">
        <p>{text.running(results.length, models.length * run.tasks.length)}</p>
        {current !== null && (
          <p className="text-ink-muted [overflow-wrap:anywhere]">
            {text.now(current.model.name, task === undefined ? current.task : taskTitle(task, messages.figures.locale))}
          </p>
        )}
      </div>
    </div>
  );
}

/** Shows that the user stopped the last run, and the models that were left out. */
function RunNotes({ run }: { readonly run: EvalRun }) {
  const messages = useFullMessages();
  const text = messages.evals;
  if (run.problems.length === 0 && !run.isStopped) return null;
  return (
    <div role="status" className="grid gap-1">
      {run.isStopped && <p className="text-ink-muted">{text.stopped}</p>}
      {run.problems.map(({ model, error }) => (
        <p key={evalModelKey(model)} className="text-danger">
          {text.leftOut(model.name)} {messages.errors.sentences[error.code]}
        </p>
      ))}
    </div>
  );
}
