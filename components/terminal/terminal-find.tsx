"use client";
/** Find bar of a terminal: Enter goes to the match before, Shift+Enter to the one after, Esc closes. */
import { ArrowDown, ArrowUp, X } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { findSearchOption, type SearchOption, searchOptionShortcuts } from "../actions/search-toggles";
import { type FullMessages, useFullMessages } from "../messages/full-messages";
import { IconButton } from "../ui/controls/icon-button";
import { SearchToggles } from "../ui/controls/search-toggles";
import { TextField } from "../ui/controls/text-field";
import { compileFindPattern, type TerminalQuery } from "./find-pattern";
import type { TerminalFindRequest, TerminalMatches } from "./terminal-search";
import { isForInputMethod } from "../ui/browser/is-for-input-method";

interface TerminalFindProps {
  /** Selects a match; null = nothing is searched, so that no match is marked. */
  readonly onFind: (request: TerminalFindRequest | null) => void;
  readonly onClose: () => void;
}

export function TerminalFind({ onFind, onClose }: TerminalFindProps) {
  const messages = useFullMessages();
  const { terminal, editor, common } = messages;
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState<TerminalQuery>({ text: "", caseSensitive: false, wholeWord: false });
  const [matches, setMatches] = useState<TerminalMatches | null>(null);
  const find = (direction: "next" | "previous", wanted = query, isNewQuery = false): void => {
    setMatches(null);
    const pattern = compileFindPattern(wanted);
    onFind(wanted.text === "" ? null : { pattern, direction, isNewQuery, report: setMatches });
  };
  const change = (part: Partial<TerminalQuery>): void => {
    const changed = { ...query, ...part };
    setQuery(changed);
    find("previous", changed, true);
  };
  /** An expression could take endless time in the page. */
  const toggle = (option: SearchOption): void => {
    if (option !== "regex") change({ [option]: !query[option] });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isForInputMethod(event.nativeEvent)) return;
    const option = findSearchOption(event.nativeEvent);
    if (option !== undefined) toggle(option);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search
      onKeyDown={onKeyDown}
      className="absolute top-11 right-4 max-tablet:top-14 z-10 flex max-w-[calc(100%-2rem)] flex-wrap items-center justify-end gap-0.5 rounded-card border border-line bg-raised p-1 shadow-float"
    >
      <div className="relative w-72 min-w-0 max-tablet:w-full">
        <TextField
          ref={field}
          aria-label={terminal.find}
          placeholder={terminal.find}
          autoFocus
          value={query.text}
          onChange={(event) => change({ text: event.target.value })}
          onKeyDown={(event) => {
            if (isForInputMethod(event.nativeEvent) || event.key !== "Enter") return;
            find(event.shiftKey ? "next" : "previous");
          }}
          className="border-transparent pr-15 max-tablet:pr-24"
        />
        <div className="absolute inset-y-0 right-1 flex items-center gap-0.5">
          <SearchToggles
            values={{ caseSensitive: query.caseSensitive, wholeWord: query.wholeWord }}
            names={editor.find}
            shortcuts={searchOptionShortcuts()}
            onToggle={(option) => {
              toggle(option);
              field.current?.focus();
            }}
          />
        </div>
      </div>
      <span role="status" className="px-1 text-small tabular-nums whitespace-nowrap text-ink-muted empty:hidden">
        {matches === null ? "" : formatMatches(matches, messages)}
      </span>
      <IconButton icon={ArrowUp} name={terminal.previousMatch} size="small" onClick={() => find("previous")} />
      <IconButton icon={ArrowDown} name={terminal.nextMatch} size="small" onClick={() => find("next")} />
      <IconButton icon={X} name={common.close} size="small" onClick={onClose} />
    </search>
  );
}

function formatMatches({ total, isComplete, position }: TerminalMatches, { editor, figures }: FullMessages): string {
  const { none, count, more } = editor.find;
  const shown = figures.number(total);
  return total === 0 ? none : count(position, isComplete ? shown : more(shown));
}
