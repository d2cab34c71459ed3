"use client";
/** Context meter of the status bar: bar and percentage; the tooltip lists the window's size limits. */
import { useRef } from "react";
import { contextWords, WindowNumbers } from "../chat/composer/context-ring";
import { Meter } from "../ui/meter";
import { Tooltip } from "../ui/tooltip";
import { useWords } from "../words/words";
import type { WindowUse } from "./model-choice";

export interface ContextMeterProps extends WindowUse {
  readonly share: number;
}

export function ContextMeter({ share, window }: ContextMeterProps) {
  const words = useWords();
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={anchor} className="flex items-center gap-1.5">
        <Meter share={share} label={words.shell.contextLabel} />
        <span className="min-w-19 tabular-nums">
          {words.shell.context(words.figures.percent(share), words.figures.tokens(window.inForce))}
        </span>
      </span>
      <Tooltip anchor={anchor}>
        <span className="grid">
          <span>{contextWords(share, window.inForce, words)}</span>
          <WindowNumbers window={window} />
        </span>
      </Tooltip>
    </>
  );
}
