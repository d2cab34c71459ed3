"use client";
/** One muted line during and after the model's thinking; expands to the text. */
import { Sparkle } from "lucide-react";
import { useWords } from "@/components/words/words";
import type { PhaseView } from "@/lib/view";
import { FoldIcon } from "../ui/fold-icon";
import type { ItemContent } from "./items";
import { tellPhase } from "./phase";
import { wholeSeconds } from "./phase-chip";
import { PhaseOffer } from "./phase-line";
import { useNow } from "./use-now";

export interface ThinkingLineProps extends Omit<Extract<ItemContent, { kind: "thinking" }>, "kind"> {
  /** The server's phase while the thinking is live. */
  readonly phase: PhaseView | null;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** Shorter thinking is shown without a duration, ms. */
const tellFromMs = 1_000;

export function ThinkingLine({ text, live, since, tookMs, phase, open, onToggle }: ThinkingLineProps) {
  const words = useWords();
  const now = useNow(live ? 1000 : null);
  const { chat, figures } = words;
  const thinking = live && phase?.phase === "thinking" ? phase : null;
  const offer = thinking === null ? null : tellPhase(thinking, { now, newsAt: now }, words).offer;
  const label = live
    ? chat.thinking(wholeSeconds(now - (thinking?.sinceMs ?? since), words))
    : tookMs === undefined
      ? chat.thoughtSome
      : tookMs < tellFromMs
        ? chat.thoughtBriefly
        : chat.thought(wholeSeconds(tookMs, words));
  return (
    <div className="text-base text-ink-muted">
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-expanded={open}
          onClick={onToggle}
          className="group flex h-7 min-w-0 flex-1 items-center gap-2 rounded-control text-left tabular-nums max-tablet:h-11"
        >
          <FoldIcon of={Sparkle} open={open} live={live} />
          <span className="cut">{label}</span>
          {thinking?.tokens !== undefined && (
            <span className="shrink-0 text-ink-faint">{chat.tokens(figures.tokens(thinking.tokens))}</span>
          )}
        </button>
        {offer !== null && <PhaseOffer offer={offer} />}
      </div>
      {open && (
        <p className="mb-2 ml-[7px] border-l-2 border-line py-0.5 pl-[15px] leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text.trim()}
        </p>
      )}
    </div>
  );
}
