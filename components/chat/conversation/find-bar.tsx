"use client";
/** Find bar of the conversation. The server searches the whole conversation; the bar shows the current position. */
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useMessages } from "../../messages/messages";
import { type FindHit, countMatches } from "@/lib/view/find";
import { IconButton } from "../../ui/controls/icon-button";
import { TextField } from "../../ui/controls/text-field";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

interface FindBarProps {
  readonly query: string;
  /** Null = the search is pending. */
  readonly hits: readonly FindHit[] | null;
  /** There are more hits than these. */
  readonly more: boolean;
  /** Index of the current match, 0-based; an entry counts once per occurrence. */
  readonly index: number;
  readonly onQuery: (query: string) => void;
  readonly onIndex: (index: number) => void;
  readonly onClose: () => void;
}

export function FindBar({ query, hits, more, index, onQuery, onIndex, onClose }: FindBarProps) {
  const messages = useMessages();
  const { find } = messages.chat;
  const count = countMatches(hits ?? []);
  const step = (delta: number): void => {
    if (count > 0) onIndex((index + delta + count) % count);
  };
  const countText =
    query.trim() === "" || hits === null
      ? ""
      : count === 0
        ? find.none
        : find.count(index + 1, count) + (more ? "+" : "");
  return (
    <div
      role="search"
      className="absolute top-2 right-4 z-20 flex animate-appear items-center gap-0.5 rounded-card border border-line bg-raised p-1 shadow-float max-tablet:inset-x-2"
    >
      <TextField
        autoFocus
        value={query}
        aria-label={find.label}
        placeholder={find.label}
        className="w-56 border-transparent focus:border-transparent focus:outline-none max-tablet:flex-1"
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (isForInputMethod(event.nativeEvent)) return;
          if (event.key === "Escape") onClose();
          else if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span role="status" className="min-w-14 px-1 text-right text-small text-ink-muted tabular-nums">
        {countText}
      </span>
      <IconButton icon={ChevronUp} name={find.previous} side="below" disabled={count === 0} onClick={() => step(-1)} />
      <IconButton icon={ChevronDown} name={find.next} side="below" disabled={count === 0} onClick={() => step(1)} />
      <IconButton icon={X} name={messages.common.close} side="below" onClick={onClose} />
    </div>
  );
}
