"use client";
/**
 * Menu of texts that complete a command in the message field. The field keeps the focus; the keys of the open menu are
 * taken before the field gets them.
 */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useMessages } from "../../../messages/messages";
import { VisibleText } from "../../../ui/text/visible-text";
import { useTakenKeys } from "./use-taken-keys";

export interface OfferRow {
  readonly key: string;
  readonly name: string;
  readonly detail: string;
  readonly pick: () => void;
}

interface OfferMenuProps {
  /** Of the field: another text starts at the first row. */
  readonly text: string;
  readonly label: string;
  readonly rows: readonly OfferRow[];
}

const maxDetailChars = 200;

export function OfferMenu({ text, label, rows }: OfferMenuProps) {
  const { common } = useMessages();
  const list = useRef<HTMLDivElement>(null);
  const [isDismissed, setDismissed] = useState(false);
  const [choice, setChoice] = useState({ text: "", index: 0 });
  const index = choice.text === text ? choice.index : 0;
  const isOpen = !isDismissed && rows.length > 0;
  const id = useId();
  const rowId = (at: number): string => `${id}-${at}`;
  useTakenKeys(list, isOpen, {
    ArrowDown: () => setChoice({ text, index: (index + 1) % rows.length }),
    ArrowUp: () => setChoice({ text, index: (index + rows.length - 1) % rows.length }),
    Enter: () => rows[index]?.pick(),
    Tab: () => rows[index]?.pick(),
    Escape: () => setDismissed(true),
  });
  useLayoutEffect(() => {
    const field = list.current?.closest("[data-composer]")?.querySelector("textarea");
    if (!isOpen) return;
    field?.setAttribute("aria-activedescendant", rowId(index));
    return () => {
      // Another menu may have taken it.
      if (field?.getAttribute("aria-activedescendant") === rowId(index)) field.removeAttribute("aria-activedescendant");
    };
  });
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [index]);
  if (!isOpen) return null;
  return (
    <div
      ref={list}
      role="listbox"
      aria-label={label}
      className="absolute inset-x-0 bottom-full z-20 mb-1 max-h-[min(24rem,45dvh)] animate-appear overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float"
    >
      {rows.map(({ key, name, detail, pick }, at) => (
        <button
          key={key}
          id={rowId(at)}
          type="button"
          role="option"
          aria-selected={at === index}
          tabIndex={-1}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={pick}
          className="flex min-h-8 w-full items-center gap-3 rounded-control px-2 text-left text-base hover:bg-hover aria-selected:bg-hover max-tablet:min-h-11"
        >
          <span className="min-w-0 shrink-0 cut font-medium">
            <VisibleText text={name} names={common.hidden} />
          </span>
          <span className="min-w-0 flex-1 cut text-right text-small text-ink-muted">
            <VisibleText text={detail.slice(0, maxDetailChars)} names={common.hidden} />
          </span>
        </button>
      ))}
    </div>
  );
}
