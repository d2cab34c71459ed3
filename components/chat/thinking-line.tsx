"use client";
/** One muted line while the model thinks, and after; it opens to the text. */
import { ChevronRight, Sparkle } from "lucide-react";
import { useWords } from "@/components/words/words";
import { classes } from "../ui/classes";
import { Icon } from "../ui/icon";
import type { ItemContent } from "./items";
import { useNow } from "./use-now";

export interface ThinkingLineProps extends Omit<Extract<ItemContent, { kind: "thinking" }>, "kind"> {
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** Shorter thoughts are told without a figure, ms. */
const tellFromMs = 1_000;

export function ThinkingLine({ text, live, since, tookMs, open, onToggle }: ThinkingLineProps) {
  const words = useWords();
  const now = useNow(live ? 1000 : null);
  const { figures, chat } = words;
  const label = live
    ? chat.thinking(figures.duration(Math.max(0, Math.floor((now - since) / 1000)) * 1000 || 1000))
    : tookMs === undefined
      ? chat.thoughtSome
      : tookMs < tellFromMs
        ? chat.thoughtBriefly
        : chat.thought(figures.duration(Math.round(tookMs / 1000) * 1000));
  return (
    <div className="text-base text-ink-muted">
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="group flex h-7 w-full items-center gap-2 rounded-control text-left tabular-nums max-tablet:h-9"
      >
        <span className="relative grid size-4 shrink-0 place-items-center text-ink-faint">
          <Icon
            of={Sparkle}
            className={classes(
              "transition-opacity group-hover:opacity-0",
              open && "opacity-0",
              live && "animate-breathe text-accent",
            )}
          />
          <Icon
            of={ChevronRight}
            className={classes(
              "absolute transition-[opacity,rotate] group-hover:opacity-100",
              open ? "rotate-90 opacity-100" : "opacity-0",
            )}
          />
        </span>
        {label}
      </button>
      {open && (
        <p className="mb-2 ml-[7px] border-l-2 border-line py-0.5 pl-[15px] leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text.trim()}
        </p>
      )}
    </div>
  );
}
