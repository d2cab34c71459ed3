"use client";
/** Tab that compares models by small coding tasks: choice, progress, totals and results; or the page of one task. */
import { useState } from "react";
import { type EvalModel, type EvalOverview, type EvalRun, isSameEvalModel } from "@/lib/evals/evals";
import { useServerState } from "../../state/use-server-state";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { Skeleton } from "../../ui/indicators/skeleton";
import { useFullMessages } from "../../messages/full-messages";
import { useOpenItem } from "../item-section/open-item";
import { EvalResults } from "./eval-results";
import { EvalSetup } from "./eval-setup";
import { EvalTaskPage } from "./eval-task-page";
import { evalModelKey, listColumns, listEvalModels, mergeEvalResults } from "./eval-view";
import { SectionTitle } from "../item-section/section-title";

export function EvalsTab() {
  const messages = useFullMessages();
  const text = messages.evals;
  const query = useCommandQuery("evals.list", {}, { retry: false });
  if (query.data !== undefined) return <Comparison overview={query.data} />;
  return (
    <section aria-label={text.title}>
      <SectionTitle title={text.title} />
      {query.isError ? (
        <div className="flex flex-wrap items-center gap-3">
          <p role="alert">{text.failed}</p>
          <Button onClick={() => void query.refetch()}>{text.again}</Button>
        </div>
      ) : (
        <Skeleton label={messages.common.loading} className="h-40" />
      )}
    </section>
  );
}

function Comparison({ overview }: { readonly overview: EvalOverview }) {
  const server = useServerState("models");
  const connections = useServerState("connections") ?? [];
  const settings = useServerState("settings");
  const opened = useOpenItem();
  const [chosenKeys, setChosenKeys] = useState<ReadonlySet<string> | null>(null);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const models = listEvalModels(server, connections);
  const isChosen = (model: EvalModel): boolean =>
    chosenKeys === null
      ? isFirstChoice(model, models, overview.run, settings?.model ?? "")
      : chosenKeys.has(evalModelKey(model));
  const chosen = models.filter(isChosen);
  const results = mergeEvalResults(overview);
  const columns = listColumns(chosen, overview, results);
  if (opened !== null) return <EvalTaskPage id={opened} overview={overview} results={results} columns={columns} />;
  return (
    <>
      <EvalSetup
        overview={overview}
        models={models}
        chosen={chosen}
        tasks={overview.tasks.filter(({ id }) => !leftOut.has(id))}
        onChosen={(next) => setChosenKeys(new Set(next.map(evalModelKey)))}
      />
      <EvalResults overview={overview} results={results} columns={columns} leftOut={leftOut} onLeftOut={setLeftOut} />
    </>
  );
}

/** Before a choice: the models of the last run, or the model of new sessions, or the first one. */
const isFirstChoice = (model: EvalModel, models: readonly EvalModel[], run: EvalRun | null, usual: string): boolean =>
  run !== null
    ? run.models.some((one) => isSameEvalModel(one, model))
    : (models.find(({ name, connection }) => connection === undefined && name === usual) ?? models[0]) === model;
