"use client";
/** One muted line during and after the model's thinking; expands to the text. */
import { Sparkle } from "lucide-react";
import { useConversationMessages } from "../../messages/conversation-messages";
import type { PhaseView } from "@/lib/view/view";
import { DisclosureIcon } from "../../ui/indicators/disclosure-icon";
import type { ItemContent } from "./conversation-items";
import { describePhase } from "../run/describe-phase";
import { formatWholeSeconds } from "../run/phase-chip";
import { PhaseOffer } from "../run/phase-line";
import { useNow } from "../../ui/text/use-now";

interface ThinkingLineProps extends Omit<Extract<ItemContent, { kind: "thinking" }>, "kind"> {
  /** The server's phase while the thinking is live. */
  readonly phase: PhaseView | null;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** Shorter thinking is shown without a duration, ms. */
const minShownMs = 1_000;

export function ThinkingLine({ text, live, since, tookMs, phase, open, onToggle }: ThinkingLineProps) {
  const messages = useConversationMessages();
  const now = useNow(live ? 1000 : null);
  const { chat, figures } = messages;
  const thinking = live && phase?.phase === "thinking" ? phase : null;
  const offer = thinking === null ? null : describePhase(thinking, { now, lastEventAt: now }, messages).offer;
  const label = live
    ? chat.thinking(formatWholeSeconds(now - (thinking?.sinceMs ?? since), messages))
    : tookMs === undefined
      ? chat.thoughtSome
      : tookMs < minShownMs
        ? chat.thoughtBriefly
        : chat.thought(formatWholeSeconds(tookMs, messages));
  return (
    <div data-live={live || undefined} className="text-base text-ink-muted">
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-expanded={open}
          onClick={onToggle}
          className="group flex h-7 min-w-0 flex-1 items-center gap-2 rounded-control text-left tabular-nums max-tablet:h-11"
        >
          <DisclosureIcon of={Sparkle} open={open} live={live} />
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
