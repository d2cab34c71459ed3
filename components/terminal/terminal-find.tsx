"use client";
/** Find bar of a terminal: Enter goes to the match before, Shift+Enter to the one after, Esc closes. */
import { ArrowDown, ArrowUp, X } from "lucide-react";
import { useState } from "react";
import { type FullMessages, useFullMessages } from "../messages/full-messages";
import { IconButton } from "../ui/controls/icon-button";
import { TextField } from "../ui/controls/text-field";
import type { TerminalMatches } from "./terminal-screen";

interface TerminalFindProps {
  /** Selects a match; null = there is no terminal. */
  readonly onFind: (query: string, direction: "next" | "previous") => TerminalMatches | null;
  readonly onClose: () => void;
}

export function TerminalFind({ onFind, onClose }: TerminalFindProps) {
  const messages = useFullMessages();
  const [query, setQuery] = useState("");
  const [matches, setMatches] = useState<TerminalMatches | null>(null);
  const find = (direction: "next" | "previous", wanted = query): void =>
    setMatches(wanted === "" ? null : onFind(wanted, direction));
  return (
    <search className="absolute top-11 right-4 max-tablet:top-14 z-10 flex items-center gap-0.5 rounded-card border border-line bg-raised p-1 shadow-float">
      <TextField
        aria-label={messages.terminal.find}
        placeholder={messages.terminal.find}
        autoFocus
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          find("previous", event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") find(event.shiftKey ? "next" : "previous");
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onClose();
        }}
        className="w-52 min-w-0 border-transparent"
      />
      <span role="status" className="px-1 text-small whitespace-nowrap text-ink-muted tabular-nums empty:hidden">
        {matches === null ? "" : matchText(matches, messages.terminal)}
      </span>
      <IconButton icon={ArrowUp} name={messages.terminal.previousMatch} size="small" onClick={() => find("previous")} />
      <IconButton icon={ArrowDown} name={messages.terminal.nextMatch} size="small" onClick={() => find("next")} />
      <IconButton icon={X} name={messages.common.close} size="small" onClick={onClose} />
    </search>
  );
}

function matchText({ total, position }: TerminalMatches, text: FullMessages["terminal"]): string {
  if (total === 0) return text.noMatch;
  return position === 0 ? text.manyMatches(total) : text.matchCount(position, total);
}
