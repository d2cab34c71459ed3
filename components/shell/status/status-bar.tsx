"use client";
/**
 * Status bar: connection, model, phase, speed, context, branch. The performance figures of local models are always
 * visible.
 */
import { useQuery } from "@tanstack/react-query";
import { GitBranch } from "lucide-react";
import { lazy, Suspense } from "react";
import { at } from "@/lib/view/chunks";
import type { ModelServerState } from "@/lib/models/models";
import { type Entry, type PhaseView, pendingApprovals, type SessionView } from "@/lib/view/view";
import { formatGpuShare } from "../../chat/model/format-gpu-share";
import { formatPhaseChip, findAnswerPhase, formatRetryChip } from "../../chat/run/phase-chip";
import { useNow } from "../../chat/use-now";
import { useClient } from "../../state/client";
import type { ServerConnectionState } from "../../state/connection/server-connection";
import { queries } from "../../state/queries";
import { useStore } from "../../state/store";
import { Chip, type Tone } from "../../ui/indicators/chip";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { useMessages, type Messages } from "../../messages/messages";
import { modelForNewSession, toModelSelection, findLoadedModel, findOllamaState } from "../start/model-selection";
import { NetworkBadge } from "./exposure-badges";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";

// Lazy: needed only once a session or the model server's state has loaded.
const ContextMeter = lazy(async () => ({ default: (await import("./context-meter")).ContextMeter }));
const LoadedModelMenu = lazy(async () => ({ default: (await import("./loaded-model-menu")).LoadedModelMenu }));

export function StatusBar({ place }: { readonly place: WorkbenchLocation }) {
  const messages = useMessages();
  const { connection, workbench } = useClient();
  const state = useStore(connection.state, (value) => value);
  const server = useQuery(queries.models()).data;
  const settings = useQuery(queries.settings()).data;
  const draft = useStore(workbench, (value) => value.draft);
  const connections = useQuery(queries.connections()).data ?? [];
  const { view } = place.session;
  const branch = place.project?.branch ?? null;
  const choice =
    view === null || view.model === null
      ? modelForNewSession(draft, settings, server, connections)
      : toModelSelection(view.model);
  const ollama = findOllamaState(choice, server, connections);
  // While disconnected the last state is outdated.
  const isKnown = state !== "offline" && state !== "gone";
  const phase = isKnown ? statusPhase(view, ollama, choice.model) : null;
  const live = isKnown && view !== null && phase !== "waiting" ? findAnswerPhase(view) : null;
  const retry = phase === "retrying" && view !== null ? waitingRetry(view) : null;
  const steps = isKnown ? runStepProgress(view, settings?.maxSteps) : null;
  const speed = isKnown ? answerSpeed(view) : null;
  const firstTokenMs = isKnown ? view?.usage?.firstTokenMs : undefined;
  const loaded = isKnown ? findLoadedModel(ollama, choice.model) : null;
  const slow = loaded === null ? null : formatGpuShare(loaded.vramShare, messages);
  const name = <span className="cut">{choice.model}</span>;
  return (
    <footer
      aria-label={messages.shell.status}
      className="flex items-center gap-3.5 overflow-hidden border-t border-line bg-surface px-3 text-small whitespace-nowrap text-ink-muted"
    >
      <span className="flex items-center gap-1.5" data-connection={state}>
        <span aria-hidden className={classes("size-1.5 rounded-full", connectionDotClass[state])} />
        {messages.shell.connection[state]}
      </span>
      {choice.model !== "" && (
        <Suspense fallback={name}>
          {loaded === null ? (
            name
          ) : (
            <LoadedModelMenu {...choice} loaded={loaded} isBusy={view !== null && view.run !== null} />
          )}
        </Suspense>
      )}
      {phase !== null && <PhaseChip name={phase} live={live} retry={retry} />}
      {steps !== null && (
        <span data-steps className="tabular-nums" title={messages.shell.stepsNote(steps.taken, steps.most)}>
          {messages.shell.steps(steps.taken, steps.most)}
        </span>
      )}
      {slow !== null && (
        <Chip tone="ask" title={messages.models.gpuNote}>
          {slow}
        </Chip>
      )}
      <span className="flex-1" />
      <NetworkBadge />
      {/* After the items that change their width, so that the figures do not move. */}
      {firstTokenMs !== undefined && (
        <span data-first-token className="tabular-nums max-tablet:hidden">
          {messages.shell.firstToken(messages.figures.duration(firstTokenMs))}
        </span>
      )}
      {speed !== null && <span className="text-right tabular-nums">{messages.figures.speed(speed)}</span>}
      {view !== null && (
        <Suspense>
          <ContextMeter view={view} server={ollama} />
        </Suspense>
      )}
      {branch !== null && (
        <span className="flex items-center gap-1">
          <Icon of={GitBranch} size={14} />
          <span className="max-w-48 cut">{branch}</span>
        </span>
      )}
    </footer>
  );
}

/** Short text for the current phase; the clock ticks only during an answer or a retry. */
function PhaseChip({ name, live, retry }: PhaseChipProps) {
  const messages: Messages = useMessages();
  const now = useNow(live === null && retry === null ? null : 1000);
  const text =
    retry !== null
      ? formatRetryChip(retry, now, messages)
      : live !== null
        ? formatPhaseChip(live, now, messages)
        : null;
  return (
    <Chip tone={phaseTone(name)} data-phase={name}>
      {text ?? messages.shell.phase[name]}
    </Chip>
  );
}

interface PhaseChipProps {
  readonly name: PhaseName;
  readonly live: PhaseView | null;
  readonly retry: RetryEntry | null;
}

type RetryEntry = Extract<Entry, { kind: "retry" }>;

/** Returns the retry the open run is waiting for: the newest entry, with no open answer. null = none. */
export function waitingRetry(view: SessionView): RetryEntry | null {
  if (view.run === null || Object.keys(view.openMessages).length > 0) return null;
  const newest = at(view.entries, view.entries.length - 1);
  return newest?.kind === "retry" && newest.delayMs > 0 ? newest : null;
}

/** Returns the step count of the open run and its limit; null = no run, no step yet, or the limit has not loaded. */
export function runStepProgress(
  view: SessionView | null,
  most: number | undefined,
): { readonly taken: number; readonly most: number } | null {
  const taken = view?.run?.steps ?? 0;
  return taken === 0 || most === undefined ? null : { taken, most };
}

const connectionDotClass: Record<ServerConnectionState, string> = {
  online: "bg-accent",
  connecting: "bg-ink-faint",
  offline: "bg-ask",
  gone: "bg-danger",
  unauthorized: "bg-danger",
};

type PhaseName = keyof Messages["shell"]["phase"];

/**
 * Returns the current phase; null = nothing has loaded yet. Without a server state, as for a connection, the model
 * counts as ready.
 */
export function statusPhase(
  view: SessionView | null,
  server: ModelServerState | undefined,
  model: string,
): PhaseName | null {
  if (view !== null && view.openCompaction !== null) return "compacting";
  if (view !== null && view.run !== null) {
    if (pendingApprovals(view).length > 0) return "waiting";
    if (waitingRetry(view) !== null) return "retrying";
    return findAnswerPhase(view)?.phase ?? "running";
  }
  if (server === undefined || server.status === "unknown") return null;
  if (server.status === "unreachable") return "noServer";
  if (server.models.length === 0 || model === "") return "noModel";
  // Ollama resolves a name without a tag to the tag `latest`.
  return server.models.some(({ name }) => name === model || name === `${model}:latest`) ? "ready" : "notInstalled";
}

function phaseTone(phase: PhaseName): Tone {
  if (phase === "waiting" || phase === "notInstalled") return "ask";
  return phase === "noServer" || phase === "noModel" ? "plain" : "accent";
}

/** Returns tokens per second of the streaming answer, else of the newest one; null = no measurement. */
function answerSpeed(view: SessionView | null): number | null {
  if (view?.phase?.perSecond !== undefined) return view.phase.perSecond;
  const usage = view?.usage ?? null;
  return usage === null || usage.outputMs <= 0 || usage.outputTokens <= 0
    ? null
    : (usage.outputTokens / usage.outputMs) * 1000;
}
