"use client";
/** A loaded model: memory location, time until it is unloaded, and a button that unloads it now. */
import type { LoadedModel } from "@/lib/models/models";
import { neverUnloadedMs } from "@/lib/models/loaded-model";
import { Button } from "../../ui/controls/button";
import { classes } from "../../ui/theme/classes";
import { useFullMessages, type FullMessages } from "../../messages/full-messages";
import { useMinutesLeft } from "./use-minutes-left";
import { useChange } from "../use-change";
import { memoryLocationText } from "./model-facts";

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
      : [messages.settings.model.tokens(messages.figures.tokens(loaded.contextLength))]),
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
