"use client";
/** Context meter of the status bar: bar and percentage; the tooltip lists the window's size limits. */
import { useRef } from "react";
import { formatContextUsage, WindowNumbers } from "../../chat/context-usage/context-ring";
import { Meter } from "../../ui/indicators/meter";
import { Tooltip } from "../../ui/overlays/tooltip";
import { useMessages } from "../../messages/messages";
import { contextWindowUse, type ContextWindowUse } from "./context-window-use";
import type { StatusContext } from "./status-registry";
import { useModelStatus } from "./use-model-status";

/** Draws nothing before the first answer. */
export function ContextStatus({ place }: StatusContext) {
  const { server } = useModelStatus(place);
  const { view } = place.session;
  const use = view === null ? null : contextWindowUse(view, server);
  return use !== null && use.share !== null && <WindowMeter window={use.window} share={use.share} />;
}

function WindowMeter({ share, window }: ContextWindowUse & { readonly share: number }) {
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
