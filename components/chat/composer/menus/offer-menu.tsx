"use client";
/**
 * Menu of texts that complete a command in the message field. The field keeps the focus; the keys of the open menu are
 * taken before the field gets them.
 */
import { useEffect, useLayoutEffect, useRef } from "react";
import { useMessages } from "../../../messages/messages";
import { VisibleText } from "../../../ui/text/visible-text";
import { useTakenKeys } from "./use-taken-keys";
import { useTakenSend } from "./use-taken-send";

export interface OfferRow {
  readonly key: string;
  readonly name: string;
  readonly detail: string;
  /** Argument that may follow the name. */
  readonly hint?: string;
  readonly pick: () => void;
  /** Action of Tab; default = `pick`. */
  readonly complete?: () => void;
}

export interface OfferGroup {
  readonly label: string;
  readonly rows: readonly OfferRow[];
}

interface OfferMenuProps {
  /** Element id of the menu. */
  readonly id: string;
  /** Text of the field. */
  readonly text: string;
  /** A single group names the menu; several are headed by their labels. Groups without rows are left out. */
  readonly groups: readonly OfferGroup[];
  /** The first row is selected if there is no row with this key. */
  readonly chosenKey: string | null;
  readonly onChoose: (key: string) => void;
  /** Called by Esc. */
  readonly onDismiss: () => void;
}

const maxDetailChars = 200;

export function OfferMenu({ id, text, groups, chosenKey, onChoose, onDismiss }: OfferMenuProps) {
  const { composer } = useMessages();
  const shown = groups.filter(({ rows }) => rows.length > 0);
  const rows = shown.flatMap((group) => group.rows);
  const list = useRef<HTMLDivElement>(null);
  const index = Math.max(
    0,
    rows.findIndex(({ key }) => key === chosenKey),
  );
  const chosen = rows[index];
  const isOpen = chosen !== undefined;
  const rowId = (at: number): string => `${id}-${at}`;
  const move = (delta: -1 | 1): void => onChoose(rows[(index + delta + rows.length) % rows.length]?.key ?? "");
  useTakenKeys(list, isOpen, {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => chosen?.pick(),
    Tab: () => (chosen?.complete ?? chosen?.pick)?.(),
    Escape: onDismiss,
  });
  useTakenSend(list, rows.find(({ name }) => name === text)?.pick ?? null);
  useLayoutEffect(() => {
    const field = list.current?.closest("[data-composer]")?.querySelector("textarea");
    if (!isOpen || field === null || field === undefined) return;
    field.setAttribute("aria-controls", id);
    field.setAttribute("aria-activedescendant", rowId(index));
    return () => {
      field.removeAttribute("aria-controls");
      field.removeAttribute("aria-activedescendant");
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
            <OfferOption key={row.key} row={row} id={rowId(rows.indexOf(row))} isChosen={chosen === row} />
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
      <span className="min-w-0 shrink-0 basis-[40%] cut font-medium">
        <VisibleText text={name} names={common.hidden} />
        {hint !== undefined && <span className="font-normal text-ink-faint"> [{hint}]</span>}
      </span>
      <span className="min-w-0 flex-1 cut text-small text-ink-muted">
        <VisibleText text={detail.slice(0, maxDetailChars)} names={common.hidden} />
      </span>
    </button>
  );
}
