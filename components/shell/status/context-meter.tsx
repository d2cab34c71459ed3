"use client";
/** Context meter of the status bar: bar and percentage; the tooltip lists the window's size limits. */
import { useRef } from "react";
import { formatContextUsage, WindowNumbers } from "../../chat/context-usage/context-ring";
import { Meter } from "../../ui/indicators/meter";
import { Tooltip } from "../../ui/overlays/tooltip";
import { useMessages } from "../../messages/messages";
import type { ContextWindowUse } from "../start/model-selection";

export interface ContextMeterProps extends ContextWindowUse {
  readonly share: number;
}

export function ContextMeter({ share, window }: ContextMeterProps) {
  const messages = useMessages();
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={anchor} className="flex items-center gap-1.5">
        <Meter share={share} label={messages.shell.contextLabel} />
        <span className="min-w-19 tabular-nums">
          {messages.shell.context(messages.figures.percent(share), messages.figures.tokens(window.inForce))}
        </span>
      </span>
      <Tooltip anchor={anchor}>
        <span className="grid">
          <span>{formatContextUsage(share, window.inForce, messages)}</span>
          <WindowNumbers window={window} />
        </span>
      </Tooltip>
    </>
  );
}
