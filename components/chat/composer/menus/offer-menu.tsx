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
  /** What may follow the name. */
  readonly hint?: string;
  readonly pick: () => void;
}

export interface OfferGroup {
  /** The program's own commands. */
  readonly isOwn?: boolean;
  readonly label: string;
  readonly rows: readonly OfferRow[];
}

interface OfferMenuProps {
  /** Of the field: another text starts at the first row. */
  readonly text: string;
  /** A single group names the menu; several are headed by their labels. Groups without rows are left out. */
  readonly groups: readonly OfferGroup[];
  /** Of the menu's element; default = one of its own. */
  readonly id?: string;
  /** Called by Esc. */
  readonly onDismiss?: () => void;
}

const maxDetailChars = 200;

export function OfferMenu({ text, groups, id: givenId, onDismiss }: OfferMenuProps) {
  const { composer } = useMessages();
  const shown = groups.filter(({ rows }) => rows.length > 0);
  const rows = shown.flatMap((group) => group.rows);
  const list = useRef<HTMLDivElement>(null);
  const [isDismissed, setDismissed] = useState(false);
  const [choice, setChoice] = useState({ text: "", index: 0 });
  const index = choice.text === text ? choice.index : 0;
  const isOpen = !isDismissed && rows.length > 0;
  const ownId = useId();
  const id = givenId ?? ownId;
  const rowId = (at: number): string => `${id}-${at}`;
  useTakenKeys(list, isOpen, {
    ArrowDown: () => setChoice({ text, index: (index + 1) % rows.length }),
    ArrowUp: () => setChoice({ text, index: (index + rows.length - 1) % rows.length }),
    Enter: () => rows[index]?.pick(),
    Tab: () => rows[index]?.pick(),
    Escape: () => {
      setDismissed(true);
      onDismiss?.();
    },
  });
  useLayoutEffect(() => {
    const field = list.current?.closest("[data-composer]")?.querySelector("textarea");
    if (!isOpen || field === null || field === undefined) return;
    const before = field.getAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", rowId(index));
    return () => {
      // Another menu may have taken it.
      if (field.getAttribute("aria-activedescendant") !== rowId(index)) return;
      if (before === null) field.removeAttribute("aria-activedescendant");
      else field.setAttribute("aria-activedescendant", before);
    };
  });
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [index]);
  if (!isOpen) return null;
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={shown.length === 1 ? shown[0]?.label : composer.slash.label}
      className="absolute inset-x-0 bottom-full z-20 mb-1 max-h-[min(24rem,45dvh)] animate-appear overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float"
    >
      {shown.map((group) => (
        <div key={group.label} role="group" aria-label={group.label}>
          {shown.length > 1 && (
            <p aria-hidden className="px-2 pt-2 pb-1 text-small text-ink-muted">
              {group.label}
            </p>
          )}
          {group.rows.map((row) => (
            <OfferOption key={row.key} row={row} id={rowId(rows.indexOf(row))} isChosen={rows[index] === row} />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OfferOptionProps {
  readonly row: OfferRow;
  readonly id: string;
  readonly isChosen: boolean;
}

function OfferOption({ row: { name, hint, detail, pick }, id, isChosen }: OfferOptionProps) {
  const { common } = useMessages();
  return (
    <button
      id={id}
      type="button"
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={pick}
      className="flex min-h-8 w-full items-center gap-3 rounded-control px-2 text-left text-base hover:bg-hover aria-selected:bg-hover max-tablet:min-h-11"
    >
      <span className="min-w-0 shrink-0 cut font-medium">
        <VisibleText text={name} names={common.hidden} />
        {hint !== undefined && <span className="font-normal text-ink-faint"> [{hint}]</span>}
      </span>
      <span className="min-w-0 flex-1 cut text-right text-small text-ink-muted">
        <VisibleText text={detail.slice(0, maxDetailChars)} names={common.hidden} />
      </span>
    </button>
  );
}
