"use client";
/** Names of models and tasks, and the mark of a result. */
import { Check, Minus, X } from "lucide-react";
import type { EvalModel, EvalTaskInfo } from "@/lib/evals/evals";
import { useServerState } from "../../state/use-server-state";
import { Icon } from "../../ui/indicators/icon";
import { Spinner } from "../../ui/indicators/spinner";
import { useFullMessages } from "../../messages/full-messages";
import type { EvalCell } from "./eval-view";

/** The title in the language of the interface, if the task has one. */
export const taskTitle = ({ title, titles }: Pick<EvalTaskInfo, "title" | "titles">, locale: string): string =>
  titles[locale] ?? title;

export function EvalModelName({ model }: { readonly model: EvalModel }) {
  const connections = useServerState("connections") ?? [];
  const connection = connections.find(({ id }) => id === model.connection);
  return (
    <span className="min-w-0 [overflow-wrap:anywhere]">
      <span className="font-mono text-code">{model.name}</span>
      {model.connection !== undefined && (
        <span className="text-small text-ink-muted"> {connection?.name ?? model.connection}</span>
      )}
    </span>
  );
}

/** A mark with its name for screen readers. */
export function EvalMark({ state }: { readonly state: EvalCell["state"] }) {
  const name = useFullMessages().evals.states[state];
  return (
    <span title={name} className="inline-flex size-5 items-center justify-center">
      <span className="sr-only">{name}</span>
      {state === "solved" && <Icon of={Check} className="text-added" />}
      {state === "failed" && <Icon of={X} className="text-danger" />}
      {state === "running" && <Spinner className="text-accent" />}
      {state === "waiting" && <span aria-hidden className="size-1.5 rounded-full bg-ink/30" />}
      {state === "none" && <Icon of={Minus} className="text-ink-faint" />}
    </span>
  );
}
