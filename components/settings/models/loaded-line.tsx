"use client";
/** A loaded model: memory location, time until it is unloaded, and a button that unloads it now. */
import type { LoadedModel } from "@/lib/models/models";
import { neverUnloadedMs } from "@/lib/models/loaded-model";
import { Button } from "../../ui/controls/button";
import { classes } from "../../ui/theme/classes";
import { useFullMessages, type FullMessages } from "../../messages/full-messages";
import { useChange } from "../../state/use-change";
import { memoryLocationText } from "./model-facts";
import { useCallback, useSyncExternalStore } from "react";
import { minuteMs } from "@/lib/time/duration";

const tickMs = 5_000;

/**
 * Remaining minutes until a time, rounded like in the status bar and updated by a timer. ms until `at`, rounded to
 * whole minutes, not negative; null without a time.
 */
function useMinutesLeft(at: number | undefined): number | null {
  const read = useCallback(
    () => (at === undefined ? null : Math.max(0, Math.round((at - Date.now()) / minuteMs)) * minuteMs),
    [at],
  );
  return useSyncExternalStore(subscribe, read, () => null);
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs);
  return () => clearInterval(timer);
}

interface LoadedLineProps {
  readonly loaded: LoadedModel;
  /** In a list; on a phone the unload button is only on the model's own page. */
  readonly inList?: boolean;
}

export function LoadedLine({ loaded, inList = false }: LoadedLineProps) {
  const messages = useFullMessages();
  const { isBusy, perform } = useChange("toast");
  const left = useMinutesLeft(loaded.expiresAt);
  const text = messages.settings.models;
  const place = memoryLocationText(messages, loaded);
  const parts = [
    messages.figures.bytes(loaded.size),
    ...(loaded.contextLength === undefined
      ? []
      : [messages.settings.model.inUse(messages.figures.tokens(loaded.contextLength))]),
    unloadTimeText(left, messages),
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-2 text-small text-ink-muted tabular-nums">
      <p className="min-w-0">
        <span aria-hidden className="mr-1.5 inline-block size-1.5 rounded-full bg-accent align-middle" />
        <span className="text-ink">{text.inMemory}</span>
        {place !== null && (
          <>
            {" · "}
            <span className="text-ask">{place}</span>
          </>
        )}
        {` · ${parts.join(" · ")}`}
      </p>
      <Button
        look="quiet"
        size="small"
        busy={isBusy}
        onClick={() => void perform("models.unload", { model: loaded.name })}
        className={classes("relative -my-1 text-small", inList && "max-tablet:hidden")}
      >
        {text.unload}
      </Button>
    </div>
  );
}

/** Formats the time until unloading as in the menu of the status bar. `left` in ms; null = the server reports none. */
function unloadTimeText(left: number | null, { models, settings, figures }: FullMessages): string {
  if (left === null || left > neverUnloadedMs) return settings.models.stays;
  return left === 0 ? models.leavesSoon : models.leavesIn(figures.duration(left));
}
