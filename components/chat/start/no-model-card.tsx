"use client";
/** First run, a server without a model: suggestions with size and memory, and their download. */
import { useWords } from "@/components/words/words";
import type { PullState } from "@/lib/models";
import { suggestedModels } from "@/lib/settings";
import { Button } from "../../ui/button";
import { Progress } from "../../ui/meter";

export interface NoModelCardProps {
  readonly pulls: readonly PullState[];
  readonly onPull: (name: string) => void;
  readonly onCancel: (name: string) => void;
}

export function NoModelCard({ pulls, onPull, onCancel }: NoModelCardProps) {
  const words = useWords();
  const busy = pulls.some((pull) => isRunning(pull));
  return (
    <section className="mt-3">
      <p>{words.models.noModels}</p>
      <ul
        aria-label={words.models.suggested}
        className="mt-4 overflow-hidden rounded-card border border-line bg-raised text-ink"
      >
        {suggestedModels.map((model, index) => {
          const pull = pulls.find((one) => one.name === model.name);
          return (
            <li key={model.name} className="border-t border-line px-3.5 py-2.5 first:border-t-0">
              <div className="flex items-center gap-3">
                <div className="min-w-0 flex-1">
                  <p className="cut font-medium">{model.name}</p>
                  <p className="text-small text-ink-muted">
                    {words.models.notes[model.note]} · {words.models.size(model.downloadGb)} ·{" "}
                    {words.models.memory(model.memoryGb)}
                  </p>
                </div>
                <PullButton
                  first={index === 0 && !busy}
                  {...(pull === undefined ? {} : { pull })}
                  onPull={() => onPull(model.name)}
                  onCancel={() => onCancel(model.name)}
                />
              </div>
              {pull !== undefined && <PullLine pull={pull} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const isRunning = (pull: PullState): boolean =>
  pull.status === "starting" || pull.status === "downloading" || pull.status === "verifying";

interface PullButtonProps {
  readonly pull?: PullState;
  readonly first: boolean;
  readonly onPull: () => void;
  readonly onCancel: () => void;
}

function PullButton({ pull, first, onPull, onCancel }: PullButtonProps) {
  const { models } = useWords();
  if (pull !== undefined && isRunning(pull)) return <Button onClick={onCancel}>{models.cancel}</Button>;
  if (pull?.status === "done") return null;
  return (
    <Button look={first ? "primary" : "plain"} onClick={onPull}>
      {pull === undefined ? models.pull : models.resume}
    </Button>
  );
}

/** The bar of one download with its figures: how much, how fast, how long. */
export function PullLine({ pull }: { readonly pull: PullState }) {
  const { models, figures, errors, common } = useWords();
  if (pull.status === "done") return <p className="mt-1.5 text-small text-accent">{models.pulled(pull.name)}</p>;
  if (pull.status === "cancelled" && pull.completedBytes === 0) return null;
  if (pull.status === "failed") {
    return (
      <p className="mt-1.5 text-small text-danger" title={pull.error?.detail}>
        {models.pullFailed(pull.name)} {pull.error === undefined ? "" : errors.sentences[pull.error.code]}
      </p>
    );
  }
  const share = pull.totalBytes > 0 ? pull.completedBytes / pull.totalBytes : null;
  const parts = [
    share === null
      ? common.loading
      : models.ofTotal(figures.bytes(pull.completedBytes), figures.bytes(pull.totalBytes)),
    ...(pull.status === "verifying" ? [models.verifying] : []),
    ...(pull.status === "downloading" && pull.bytesPerSecond > 0
      ? [models.perSecond(figures.bytes(pull.bytesPerSecond))]
      : []),
    ...(pull.status === "downloading" && pull.secondsLeft !== undefined
      ? [models.timeLeft(figures.duration(Math.round(pull.secondsLeft) * 1000))]
      : []),
  ];
  return (
    <div className="mt-2">
      <Progress share={share} label={models.pulling(pull.name)} />
      <p className="mt-1 text-small text-ink-muted tabular-nums">{parts.join(" · ")}</p>
    </div>
  );
}
