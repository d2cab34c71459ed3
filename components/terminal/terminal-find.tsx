"use client";
/** Find bar of a terminal: Enter goes to the match before, Shift+Enter to the one after, Esc closes. */
import { ArrowDown, ArrowUp, X } from "lucide-react";
import { useState } from "react";
import { useFullMessages } from "../messages/full-messages";
import { IconButton } from "../ui/controls/icon-button";
import { TextField } from "../ui/controls/text-field";

interface TerminalFindProps {
  readonly onFind: (query: string, direction: "next" | "previous") => void;
  readonly onClose: () => void;
}

export function TerminalFind({ onFind, onClose }: TerminalFindProps) {
  const messages = useFullMessages();
  const [query, setQuery] = useState("");
  const find = (direction: "next" | "previous"): void => {
    if (query !== "") onFind(query, direction);
  };
  return (
    <search className="absolute top-11 right-4 max-tablet:top-14 z-10 flex items-center gap-0.5 rounded-card border border-line bg-raised p-1 shadow-float">
      <TextField
        aria-label={messages.terminal.find}
        placeholder={messages.terminal.find}
        autoFocus
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          if (event.target.value !== "") onFind(event.target.value, "previous");
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") find(event.shiftKey ? "next" : "previous");
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onClose();
        }}
        className="w-52 border-transparent"
      />
      <IconButton icon={ArrowUp} name={messages.terminal.previousMatch} size="small" onClick={() => find("previous")} />
      <IconButton icon={ArrowDown} name={messages.terminal.nextMatch} size="small" onClick={() => find("next")} />
      <IconButton icon={X} name={messages.common.close} size="small" onClick={onClose} />
    </search>
  );
}
