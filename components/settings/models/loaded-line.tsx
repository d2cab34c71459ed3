"use client";
/** A loaded model: memory location, time until it is unloaded, and a button that unloads it now. */
import { useState } from "react";
import type { LoadedModel } from "@/lib/models";
import { Button } from "../../ui/button";
import { classes } from "../../ui/classes";
import { useFullWords, type FullWords } from "../../words/full-words";
import { useMinutesLeft } from "../use-minutes-left";
import { useToldCall } from "../use-told-call";
import { placeWords } from "./model-facts";

/** Longer than any configurable time: the server means never. */
const farMs = 7 * 24 * 3_600_000;

export interface LoadedLineProps {
  readonly loaded: LoadedModel;
  /** In a list; on a phone the unload button is only on the model's own page. */
  readonly inList?: boolean;
}

export function LoadedLine({ loaded, inList = false }: LoadedLineProps) {
  const words = useFullWords();
  const call = useToldCall();
  const [isLeaving, setLeaving] = useState(false);
  const left = useMinutesLeft(loaded.expiresAt);
  const text = words.settings.models;
  const place = placeWords(words, loaded);
  const parts = [
    words.figures.bytes(loaded.size),
    ...(loaded.contextLength === undefined
      ? []
      : [words.settings.model.tokens(words.figures.tokens(loaded.contextLength))]),
    leavesWords(left, words),
  ];
  const unload = (): void => {
    setLeaving(true);
    void call("models.unload", { model: loaded.name }).then(() => setLeaving(false));
  };
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
        busy={isLeaving}
        onClick={unload}
        className={classes("relative -my-1 text-small", inList && "max-tablet:hidden")}
      >
        {text.unload}
      </Button>
    </div>
  );
}

/** Formats the time until unloading as in the menu of the status bar. `left` in ms; null = the server reports none. */
function leavesWords(left: number | null, { models, settings, figures }: FullWords): string {
  if (left === null || left > farMs) return settings.models.stays;
  return left === 0 ? models.leavesSoon : models.leavesIn(figures.duration(left));
}
