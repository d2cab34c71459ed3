"use client";
/** A model that is in memory: where it lies, when it leaves, and a button that unloads it now. */
import { useState } from "react";
import type { LoadedModel } from "@/lib/models";
import { Button } from "../../ui/button";
import { useWords } from "../../words/words";
import { useMinutesLeft } from "../use-minutes-left";
import { useToldCall } from "../use-told-call";
import { placeWords } from "./model-facts";

export function LoadedLine({ loaded }: { readonly loaded: LoadedModel }) {
  const words = useWords();
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
    left === null ? text.stays : text.unloads(words.figures.duration(left)),
  ];
  const unload = (): void => {
    setLeaving(true);
    void call("models.unload", { model: loaded.name }).then(() => setLeaving(false));
  };
  return (
    <div className="flex flex-wrap items-center gap-x-2 text-small text-ink-muted tabular-nums">
      <span className="flex items-center gap-1.5 text-ink">
        <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-accent" />
        {text.inMemory}
      </span>
      {place !== null && <span className="text-ask">· {place}</span>}
      <span>· {parts.join(" · ")}</span>
      <Button look="quiet" size="small" busy={isLeaving} onClick={unload} className="relative -my-1 text-small">
        {text.unload}
      </Button>
    </div>
  );
}
