"use client";
/** The field above the history. What is typed is told after a moment, never in the middle of an input method's word. `/` goes to it. */
import { Search, X } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { isTextTarget } from "../actions/shortcuts";
import { Icon } from "../ui/icon";
import { IconButton } from "../ui/icon-button";
import { TextField } from "../ui/text-field";
import { useWords } from "../words/words";

export interface SearchFieldProps {
  /** What is searched for now. */
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** Enter, once what was typed is told. */
  readonly onEnter: () => void;
  readonly field: RefObject<HTMLInputElement | null>;
}

const typeDelayMs = 150;
const queryMaxChars = 200;

export function SearchField({ query, onQuery, onEnter, field }: SearchFieldProps) {
  const { search } = useWords().sessions;
  const [text, setText] = useState(query);
  const [isComposing, setComposing] = useState(false);
  const told = useRef(query);
  useSlash(field);
  useEffect(() => {
    // Another address: back, forward, a cleared search.
    if (query === told.current) return;
    told.current = query;
    setText(query);
  }, [query]);
  useEffect(() => {
    if (isComposing || text === told.current) return;
    const timer = setTimeout(() => {
      told.current = text;
      onQuery(text);
    }, typeDelayMs);
    return () => clearTimeout(timer);
  }, [text, isComposing, onQuery]);
  return (
    <div className="relative mb-3">
      <Icon of={Search} className="absolute top-1/2 left-3 -translate-y-1/2 text-ink-faint" />
      <TextField
        ref={field}
        type="search"
        value={text}
        maxLength={queryMaxChars}
        aria-label={search.label}
        aria-keyshortcuts="/"
        placeholder={search.label}
        className="h-9! pr-9 pl-9 max-tablet:h-11! max-tablet:pr-11"
        onChange={(event) => setText(event.target.value)}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={(event) => {
          setText(event.currentTarget.value);
          setComposing(false);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape" && text !== "") {
            event.preventDefault();
            setText("");
          }
          if (event.key === "Enter" && text === told.current) onEnter();
        }}
      />
      {text !== "" && (
        <IconButton
          icon={X}
          name={search.clear}
          side="below"
          className="absolute top-0.5 right-0.5 max-tablet:top-0 max-tablet:right-0"
          onClick={() => {
            setText("");
            field.current?.focus();
          }}
        />
      )}
    </div>
  );
}

/** As in many programs: a slash, wherever nobody writes. */
function useSlash(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "/" || event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      if (isTextTarget(event.target) || document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [field]);
}
