"use client";
/** Button with a dropdown menu: arrow keys, Home, End, type-ahead, Esc; a click outside closes it. */
import { Check, type LucideIcon } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { classes } from "../theme/classes";
import { Icon } from "../indicators/icon";
import { KeyHint } from "../indicators/key-hint";
import { nextMenuRow } from "./menu-navigation";
import { type FloatingAlign, type FloatingSide, useFloating } from "../overlays/use-floating";
import { useFloatingButton } from "../overlays/use-floating-button";

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly note?: string;
  readonly icon?: LucideIcon;
  readonly shortcut?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Preceded by a separator line. */
  readonly separated?: boolean;
  readonly onSelect: () => void;
}

interface MenuProps extends Omit<ComponentProps<"button">, "ref"> {
  readonly items: readonly MenuItem[];
  /** Accessible name of the list. */
  readonly name: string;
  /** Id of the selected item; absent = a menu of actions. */
  readonly chosen?: string;
  readonly side?: FloatingSide;
  readonly align?: FloatingAlign;
  /** Content above the list: a sentence or a field. */
  readonly header?: ReactNode;
}

export function Menu({ items, name, chosen, side = "below", align = "start", header, children, ...button }: MenuProps) {
  const { id, anchor, isOpen, open, close, attributes } = useFloatingButton("menu");
  return (
    <>
      <button
        {...button}
        {...attributes}
        ref={anchor}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          open();
        }}
      >
        {children}
      </button>
      {isOpen && <MenuList {...{ id, anchor, items, name, chosen, side, align, header }} onClose={close} />}
    </>
  );
}

export interface MenuListProps extends Pick<MenuProps, "items" | "name" | "chosen" | "header"> {
  readonly id: string;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly side: FloatingSide;
  readonly align: FloatingAlign;
  readonly onClose: (refocus: boolean) => void;
}

/** The list of an open menu, beside its anchor. */
export function MenuList({ id, anchor, items, name, chosen, side, align, header, onClose }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: "", at: 0 });
  useFloating(anchor, list, { side, align });
  const rows = (): readonly HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)") ?? []),
  ];
  useEffect(() => {
    const start =
      list.current?.querySelector<HTMLElement>("[aria-checked=true]") ??
      list.current?.querySelector<HTMLElement>("[role^=menuitem]:not(:disabled)");
    start?.focus();
  }, []);
  useEffect(() => {
    const outside = (event: PointerEvent): void => {
      const target = event.target;
      if (target instanceof Node && !list.current?.contains(target) && !anchor.current?.contains(target))
        onClose(false);
    };
    addEventListener("pointerdown", outside, true);
    return () => removeEventListener("pointerdown", outside, true);
  }, [anchor, onClose]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" || event.key === "Tab") {
      if (event.key === "Escape") event.preventDefault();
      event.stopPropagation();
      onClose(event.key === "Escape");
      return;
    }
    const all = rows();
    const now = all.findIndex((row) => row === document.activeElement);
    const next = nextMenuRow(
      event.key,
      now,
      all.map((row) => row.dataset.label ?? ""),
      typed.current,
      event.timeStamp,
    );
    if (next === null || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    typed.current = next.typed;
    all[next.index]?.focus();
  };
  return (
    <div
      ref={list}
      id={id}
      popover="manual"
      role="menu"
      aria-label={name}
      onKeyDown={onKeyDown}
      className="fixed inset-auto m-0 max-w-[min(26rem,calc(100vw-16px))] min-w-44 animate-appear overflow-y-auto rounded-card border border-line bg-raised p-1 text-base text-ink shadow-float"
    >
      {header}
      {items.map((item) => (
        <MenuRow
          key={item.id}
          item={item}
          chosen={chosen === undefined ? undefined : chosen === item.id}
          onClose={onClose}
        />
      ))}
    </div>
  );
}

interface MenuRowProps {
  readonly item: MenuItem;
  readonly chosen?: boolean;
  readonly onClose: (refocus: boolean) => void;
}

function MenuRow({ item, chosen, onClose }: MenuRowProps) {
  return (
    <>
      {item.separated === true && <div role="separator" className="mx-1 my-1 h-px bg-line" />}
      <button
        type="button"
        role={chosen === undefined ? "menuitem" : "menuitemradio"}
        aria-checked={chosen}
        tabIndex={-1}
        disabled={item.disabled}
        // Dangerous items are excluded from type-ahead and cannot be activated with Space.
        data-label={item.danger === true ? "" : item.label}
        onKeyDown={(event) => {
          if (item.danger === true && event.key === " ") event.preventDefault();
        }}
        onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
        onClick={() => {
          onClose(true);
          item.onSelect();
        }}
        className={classes(
          "flex w-full items-start gap-2 rounded-control px-2 py-1 text-left outline-none focus:bg-hover active:bg-pressed disabled:opacity-45 max-tablet:py-3",
          item.danger === true && "text-danger",
        )}
      >
        {item.icon !== undefined && <Icon of={item.icon} className="mt-0.5 text-ink-muted" />}
        <span className="min-w-0 flex-1">
          <span className="block cut">{item.label}</span>
          {item.note !== undefined && <span className="block text-small text-ink-muted">{item.note}</span>}
        </span>
        {item.shortcut !== undefined && <KeyHint keys={item.shortcut} />}
        {chosen !== undefined && <Icon of={Check} className={classes("mt-0.5", !chosen && "invisible")} />}
      </button>
    </>
  );
}
