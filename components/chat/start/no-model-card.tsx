"use client";
/** First-run card for a server without a model: suggested models with size, memory and download. */
import type { ReactNode } from "react";
import { useFullMessages } from "../../messages/full-messages";
import { useMessages } from "../../messages/messages";
import type { PullState } from "@/lib/models/models";
import { suggestedModels } from "@/lib/models/suggested-models";
import { Button } from "../../ui/controls/button";
import { PullLine } from "./pull-line";

interface NoModelCardProps {
  readonly pulls: readonly PullState[];
  readonly onPull: (name: string) => void;
  readonly onCancel: (name: string) => void;
  /** Below the models. */
  readonly children: ReactNode;
}

export function NoModelCard({ pulls, onPull, onCancel, children }: NoModelCardProps) {
  const messages = useFullMessages();
  const busy = pulls.some((pull) => isRunning(pull));
  return (
    <section className="mt-3">
      <p>{messages.firstRun.noModels}</p>
      <ul
        aria-label={messages.firstRun.suggested}
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
                    {messages.firstRun.notes[model.note]} · {messages.firstRun.size(model.downloadGb)} ·{" "}
                    {messages.firstRun.memory(model.memoryGb)}
                  </p>
                </div>
                <PullButton
                  first={index === 0 && !busy}
                  pull={pull}
                  onPull={() => onPull(model.name)}
                  onCancel={() => onCancel(model.name)}
                />
              </div>
              {pull !== undefined && <PullLine pull={pull} />}
            </li>
          );
        })}
      </ul>
      {children}
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
  const { models } = useMessages();
  if (pull !== undefined && isRunning(pull)) return <Button onClick={onCancel}>{models.cancel}</Button>;
  if (pull?.status === "done") return null;
  return (
    <Button look={first ? "primary" : "plain"} onClick={onPull}>
      {pull === undefined ? models.pull : models.resume}
    </Button>
  );
}
