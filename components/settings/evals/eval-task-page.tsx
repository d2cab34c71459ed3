"use client";
/** Page of one task: its prompt, and what each model did. */
import { useState } from "react";
import type { EvalFailure, EvalModel, EvalOverview, EvalResult } from "@/lib/evals/evals";
import { isSameEvalModel } from "@/lib/evals/evals";
import { Button } from "../../ui/controls/button";
import { engineErrorText } from "../../messages/engine-error-text";
import { useFullMessages } from "../../messages/full-messages";
import { BackLink } from "../item-section/back-link";
import { RawText } from "../item-section/disclosure";
import { useChange } from "../../state/use-change";
import { EvalMark, EvalModelName, taskTitle } from "./eval-names";
import { evalCell, evalModelKey } from "./eval-view";

interface EvalTaskPageProps {
  readonly id: string;
  readonly overview: EvalOverview;
  readonly results: readonly EvalResult[];
  readonly columns: readonly EvalModel[];
}

export function EvalTaskPage({ id, overview, results, columns }: EvalTaskPageProps) {
  const { evals: text, figures } = useFullMessages();
  const task = overview.tasks.find((one) => one.id === id);
  const shown = columns.filter((model) => evalCell(overview, results, model, id).state !== "none");
  return (
    <>
      <BackLink label={text.back} />
      {task === undefined ? (
        <p>{text.missingTask}</p>
      ) : (
        <section aria-label={taskTitle(task, figures.locale)} className="mb-8 grid gap-4">
          <h2 className="text-title font-semibold">{taskTitle(task, figures.locale)}</h2>
          <div>
            <h3 className="mb-1 font-medium">{text.prompt}</h3>
            <p className="max-w-[72ch] rounded-card border border-line bg-surface p-3 whitespace-pre-wrap">
              {task.prompt.trim()}
            </p>
          </div>
          {shown.length === 0 && <p className="text-ink-muted">{text.notRun}</p>}
          {shown.map((model) => (
            <ModelResult
              key={evalModelKey(model)}
              model={model}
              state={evalCell(overview, results, model, id).state}
              result={results.find((one) => one.task === id && isSameEvalModel(one.model, model))}
            />
          ))}
        </section>
      )}
    </>
  );
}

interface ModelResultProps {
  readonly model: EvalModel;
  readonly state: ReturnType<typeof evalCell>["state"];
  readonly result: EvalResult | undefined;
}

function ModelResult({ model, state, result }: ModelResultProps) {
  const messages = useFullMessages();
  const { evals: text, figures } = messages;
  const { perform } = useChange("toast");
  const [session, setSession] = useState<string | null>(null);
  const show = async (task: string): Promise<void> =>
    setSession((await perform("evals.transcript", { model, task }))?.text ?? null);
  return (
    <article aria-label={model.name} className="grid gap-2 border-t border-line pt-3">
      <h3 className="flex items-center gap-2">
        <EvalMark state={state} />
        <EvalModelName model={model} />
      </h3>
      {result !== undefined && (
        <>
          {result.failure !== undefined && <Failure failure={result.failure} />}
          <p className="text-small text-ink-muted tabular-nums">
            {[
              figures.duration(result.tookMs),
              `${text.steps}: ${figures.number(result.steps)}`,
              `${text.tokensRead}: ${figures.tokens(result.promptTokens)}`,
              `${text.tokensWritten}: ${figures.tokens(result.outputTokens)}`,
              ...slipTexts(result, text),
            ].join(" · ")}
          </p>
          <Button
            size="small"
            className="justify-self-start"
            aria-expanded={session !== null}
            onClick={() => (session === null ? void show(result.task) : setSession(null))}
          >
            {session === null ? text.session : text.hideSession}
          </Button>
          {session !== null && <RawText text={session} />}
        </>
      )}
    </article>
  );
}

type EvalTexts = ReturnType<typeof useFullMessages>["evals"];

function slipTexts({ slips }: EvalResult, { slipKinds }: EvalTexts): readonly string[] {
  const kinds = ["textCalls", "repairedCalls", "looseEdits", "retries"] as const;
  return kinds.flatMap((kind) => (slips[kind] === 0 ? [] : [slipKinds[kind](slips[kind])]));
}

function Failure({ failure }: { readonly failure: EvalFailure }) {
  const messages = useFullMessages();
  const text = messages.evals;
  const { why, detail = "", error } = failure;
  const sentence = why === "files" || why === "answer" ? text.why[why](detail) : text.why[why];
  return (
    <>
      <p>
        {sentence} {error === undefined ? "" : engineErrorText(error, messages)}
      </p>
      {why === "check" && detail !== "" && (
        <div>
          <h4 className="mb-1 text-small text-ink-muted">{text.output}</h4>
          <RawText text={detail} />
        </div>
      )}
    </>
  );
}
