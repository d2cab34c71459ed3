"use client";
/** Context usage beside Send; opens the context panel. */
import { lazy } from "react";
import { useWords, type Words } from "@/components/words/words";
import type { ContextReport } from "@/lib/answers";
import { classes } from "../../ui/classes";
import { Ring } from "../../ui/meter";
import { Popover } from "../../ui/popover";
import type { PrefixKept } from "../run-summary";
import { pill } from "./pill";

const ContextPanel = lazy(async () => ({ default: (await import("./context-panel")).ContextPanel }));

export interface ContextUse {
  /** Used share of the window, 0 to 1; null = unknown. */
  readonly share: number | null;
  /** Requested window, window allocated by the server, and trained window of the model; tokens. */
  readonly window: ContextReport["window"];
  /** Cached prefix of the newest run, by the server's counts; null = not reported. */
  readonly prefixKept: PrefixKept | null;
  /** Loads the report. Null = failed, already reported to the user. */
  readonly load: () => Promise<ContextReport | null>;
  readonly onCompact: (focus: string) => Promise<boolean>;
  /** No run is open. */
  readonly isIdle: boolean;
}

export const contextWords = (share: number | null, windowTokens: number, { composer, figures }: Words): string =>
  share === null ? composer.contextUnknown : composer.context(figures.percent(share), figures.tokens(windowTokens));

export function ContextRing(use: ContextUse) {
  const words = useWords();
  const { share, window } = use;
  const label = contextWords(share, window.inForce, words);
  return (
    <Popover
      name={words.composer.contextTitle}
      aria-label={label}
      className={classes(pill, "shrink-0 text-ink-muted tabular-nums hover:text-ink data-[state=open]:text-ink")}
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
      {share !== null && words.figures.percent(share)}
    </Popover>
  );
}

/** Shows the requested, allocated and trained window; the window in force is the smallest of them. */
export function WindowNumbers({ window }: Pick<ContextUse, "window">) {
  const { composer, figures } = useWords();
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
