"use client";
/** Context usage beside Send; opens the context panel. */
import { lazy } from "react";
import { useMessages, type Messages } from "../../messages/messages";
import type { ContextReport } from "@/lib/protocol/answers";
import { classes } from "../../ui/theme/classes";
import { Ring } from "../../ui/indicators/meter";
import { Popover } from "../../ui/overlays/popover";
import type { CachedPrefix } from "../run/run-summary";
import { pillClass } from "../composer/pill-class";
import { menuAttribute } from "../composer/use-composer-handle";

const ContextPanel = lazy(async () => ({ default: (await import("./context-panel")).ContextPanel }));

export interface ContextUsage {
  /** Used share of the window, 0 to 1; null = unknown. */
  readonly share: number | null;
  /** Requested window, window allocated by the server, and trained window of the model; tokens. */
  readonly window: ContextReport["window"];
  /** Cached prefix of the newest run, by the server's counts; null = not reported. */
  readonly cachedPrefix: CachedPrefix | null;
  /** Loads the report. Null = failed, already reported to the user. */
  readonly load: () => Promise<ContextReport | null>;
  readonly onCompact: (focus: string) => Promise<boolean>;
  /** No run is open. */
  readonly isIdle: boolean;
}

export const formatContextUsage = (
  share: number | null,
  windowTokens: number,
  { composer, figures }: Messages,
): string =>
  share === null ? composer.contextUnknown : composer.context(figures.percent(share), figures.tokens(windowTokens));

export function ContextRing(use: ContextUsage) {
  const messages = useMessages();
  const { share, window } = use;
  const label = formatContextUsage(share, window.inForce, messages);
  return (
    <Popover
      {...menuAttribute("context")}
      name={messages.composer.contextTitle}
      aria-label={label}
      className={classes(pillClass, "shrink-0 text-ink-muted tabular-nums hover:text-ink data-[state=open]:text-ink")}
      panelClass="w-[21rem]"
      hint={
        <span className="grid">
          <span>{label}</span>
          <WindowNumbers window={window} />
        </span>
      }
      panel={(close) => <ContextPanel {...use} onClose={close} />}
    >
      <Ring share={share} label={label} />
      {share !== null && messages.figures.percent(share)}
    </Popover>
  );
}

/** Shows the requested, allocated and trained window; the window in force is the smallest of them. */
export function WindowNumbers({ window }: Pick<ContextUsage, "window">) {
  const { composer, figures } = useMessages();
  const numbers = [
    { name: composer.window.asked, tokens: window.asked },
    { name: composer.window.allocated, tokens: window.allocated },
    { name: composer.window.own, tokens: window.own },
  ];
  return (
    <span className="grid grid-cols-[1fr_auto] gap-x-4 text-small text-ink-muted tabular-nums">
      {numbers.map(({ name, tokens }) => (
        <span key={name} className="contents">
          <span>{name}</span>
          <span className={classes("text-right", tokens === window.inForce && "font-medium text-ink")}>
            {tokens === undefined ? composer.window.unknown : figures.tokens(tokens)}
          </span>
        </span>
      ))}
    </span>
  );
}
