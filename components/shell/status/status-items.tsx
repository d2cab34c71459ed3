"use client";
/**
 * Items of the status bar: connection, model, phase, speed. The performance figures of local models are always
 * visible.
 */
import { lazy, Suspense } from "react";
import { at } from "@/lib/view/chunks";
import { isSameModelName } from "@/lib/models/model-names";
import type { ModelServerState } from "@/lib/models/models";
import { type Entry, pendingApprovals, type SessionView } from "@/lib/view/view";
import { formatGpuShare } from "../../chat/model/format-gpu-share";
import { useClient } from "../../state/client";
import type { ServerConnectionState } from "../../state/connection/server-connection";
import { useServerState } from "../../state/use-server-state";
import { useStore } from "../../state/store";
import { Chip, type Tone } from "../../ui/indicators/chip";
import { classes } from "../../ui/theme/classes";
import { useMessages, type Messages } from "../../messages/messages";
import { findLoadedModel } from "../start/model-selection";
import { useSessionRows } from "./attention";
import { newestRunSpeed } from "./newest-run-speed";
import type { StatusContext } from "./status-registry";
import { useIsCurrent, useModelStatus } from "./use-model-status";

// Lazy: needed only once the model server's state has loaded.
const LoadedModelMenu = lazy(async () => ({ default: (await import("./loaded-model-menu")).LoadedModelMenu }));

// Lazy: needed only once a file is open.
const EditorFormat = lazy(async () => ({ default: (await import("./editor-format")).EditorFormat }));

// Lazy: needed only during an answer or a retry.
const LivePhase = lazy(async () => ({ default: (await import("./live-phase")).LivePhase }));

export function ConnectionStatus() {
  const { shell } = useMessages();
  const state = useStore(useClient().connection.state, (value) => value);
  return (
    <span className="flex items-center gap-1.5" data-connection={state}>
      <span aria-hidden className={classes("size-1.5 rounded-full", connectionDotClass[state])} />
      <span className={classes(state === "online" && "sr-only")}>{shell.connection[state]}</span>
    </span>
  );
}

/** The model of the session or of the next one, with a menu while it is in memory. */
export function ModelStatus({ place }: StatusContext) {
  const { selection, server, isCurrent } = useModelStatus(place);
  const { view } = place.session;
  const loaded = isCurrent ? findLoadedModel(server, selection.model) : null;
  if (selection.model === "") return null;
  const name = <span className="cut">{selection.model}</span>;
  if (loaded === null) return name;
  return (
    <Suspense fallback={name}>
      <LoadedModelMenu {...selection} loaded={loaded} isBusy={view !== null && view.run !== null} />
    </Suspense>
  );
}

/** Short text for the current phase; the clock ticks only during an answer or a retry. */
export function PhaseStatus({ place }: StatusContext) {
  const messages = useMessages();
  const { selection, server, isCurrent } = useModelStatus(place);
  const { view } = place.session;
  // A question of a server, or a subagent's card, is in the row alone.
  const isAsked = useSessionRows()?.some((row) => row.id === place.sessionId && row.status === "waiting");
  const phase = isCurrent ? statusPhase(view, server, selection.model, isAsked) : null;
  const live = phase === null || phase === "waiting" || view === null ? null : view.phase;
  const retry = phase === "retrying" && view !== null ? waitingRetry(view) : null;
  if (phase === null) return null;
  const name = messages.shell.phase[phase];
  const shown = retry ?? live;
  return (
    <Chip tone={phaseTone(phase)} data-phase={phase}>
      {shown === null ? (
        name
      ) : (
        <Suspense fallback={name}>
          <LivePhase of={shown} />
        </Suspense>
      )}
    </Chip>
  );
}

export function StepStatus({ place }: StatusContext) {
  const { shell } = useMessages();
  const isCurrent = useIsCurrent();
  const steps = runStepProgress(place.session.view, useServerState("settings")?.maxSteps);
  return (
    isCurrent &&
    steps !== null && (
      <span data-steps className="tabular-nums" title={shell.stepsNote(steps.taken, steps.most)}>
        {shell.steps(steps.taken, steps.most)}
      </span>
    )
  );
}

/** Shown if a part of the model is not in the memory of the GPU. */
export function GpuStatus({ place }: StatusContext) {
  const messages = useMessages();
  const { selection, server, isCurrent } = useModelStatus(place);
  const loaded = isCurrent ? findLoadedModel(server, selection.model) : null;
  const slow = loaded === null ? null : formatGpuShare(loaded.vramShare, messages);
  return (
    slow !== null && (
      <Chip tone="ask" title={messages.models.gpuNote}>
        {slow}
      </Chip>
    )
  );
}

export function SpeedStatus({ place }: StatusContext) {
  const { figures } = useMessages();
  const isCurrent = useIsCurrent();
  const speed = answerSpeed(place.session.view);
  return isCurrent && speed !== null && <span className="text-right tabular-nums">{figures.speed(speed)}</span>;
}

/** Caret and format of the text in the editor. */
export function EditorStatusItem() {
  const status = useStore(useClient().editorStatus, (value) => value);
  return (
    status !== null && (
      <Suspense>
        <EditorFormat status={status} />
      </Suspense>
    )
  );
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
  const steps = view?.run?.steps ?? 0;
  return steps === 0 || most === undefined ? null : { taken: steps, most };
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
 * counts as ready. `isAsked` = the user is asked something that is not in the view.
 */
export function statusPhase(
  view: SessionView | null,
  server: ModelServerState | undefined,
  model: string,
  isAsked?: boolean,
): PhaseName | null {
  if (view !== null && view.openCompaction !== null) return "compacting";
  if (view !== null && view.run !== null) {
    if (isAsked || pendingApprovals(view).length > 0) return "waiting";
    if (waitingRetry(view) !== null) return "retrying";
    return view.phase?.phase ?? "running";
  }
  if (server === undefined || server.status === "unknown") return null;
  if (server.status === "unreachable") return "noServer";
  if (server.models.length === 0 || model === "") return "noModel";
  return server.models.some(({ name }) => isSameModelName(model, name)) ? "ready" : "notInstalled";
}

function phaseTone(phase: PhaseName): Tone {
  if (phase === "waiting" || phase === "notInstalled") return "ask";
  return phase === "noServer" || phase === "noModel" ? "plain" : "accent";
}

/** Returns tokens per second of the streaming answer, else of the newest run, as its line shows it; null = no measurement. */
const answerSpeed = (view: SessionView | null): number | null =>
  view === null ? null : (view.phase?.perSecond ?? newestRunSpeed(view));
