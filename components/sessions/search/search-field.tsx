"use client";
/** Search field of the history. Changes are reported after a delay, never during an IME composition. `/` focuses it. */
import { Search, X } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { isTextTarget } from "../../actions/shortcuts";
import { Icon } from "../../ui/indicators/icon";
import { IconButton } from "../../ui/controls/icon-button";
import { TextField } from "../../ui/controls/text-field";
import { useMessages } from "../../messages/messages";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

interface SearchFieldProps {
  /** The current query. */
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** Enter was pressed and the query is up to date. */
  readonly onEnter: () => void;
  readonly field: RefObject<HTMLInputElement | null>;
}

const typeDelayMs = 150;
const queryMaxChars = 200;

export function SearchField({ query, onQuery, onEnter, field }: SearchFieldProps) {
  const { search } = useMessages().sessions;
  const [text, setText] = useState(query);
  const [isComposing, setComposing] = useState(false);
  const reported = useRef(query);
  useSlashKey(field);
  useEffect(() => {
    // The URL changed: back, forward, a cleared search.
    if (query === reported.current) return;
    reported.current = query;
    setText(query);
  }, [query]);
  useEffect(() => {
    if (isComposing || text === reported.current) return;
    const timer = setTimeout(() => {
      reported.current = text;
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
          if (isForInputMethod(event.nativeEvent)) return;
          if (event.key === "Escape" && text !== "") {
            event.preventDefault();
            setText("");
          }
          if (event.key === "Enter" && text === reported.current) onEnter();
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

/** Focuses the field with "/" unless a text field or dialog has the focus, as in many applications. */
function useSlashKey(field: RefObject<HTMLInputElement | null>): void {
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
