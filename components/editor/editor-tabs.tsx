"use client";
/** Tab bar of the editor: a dot marks unsaved files, strikethrough deleted ones; a middle click closes. */
import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { classes } from "../ui/theme/classes";
import { Icon } from "../ui/indicators/icon";
import { VisibleText } from "../ui/text/visible-text";
import { useMessages } from "../messages/messages";
import type { EditorDocument } from "./open-documents";
import { type TabName, tabNames } from "./tab-names";

interface EditorTabsProps {
  readonly paths: readonly string[];
  readonly active: string | null;
  readonly documents: ReadonlyMap<string, EditorDocument>;
  readonly onSelect: (path: string) => void;
  readonly onClose: (path: string) => void;
  /** Shown right of the tabs. */
  readonly children?: ReactNode;
}

export function EditorTabs({ paths, active, documents, onSelect, onClose, children }: EditorTabsProps) {
  const messages = useMessages();
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const names = tabNames(paths);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [active]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = paths[paths.indexOf(active ?? "") + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onSelect(next);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  };
  return (
    <div className="flex h-9 shrink-0 border-b border-line bg-surface max-tablet:h-12">
      <div ref={list} onKeyDown={onKeyDown} className="flex min-w-0 flex-1 overflow-x-auto [scrollbar-width:none]">
        {/* role=tablist allows only tabs as children: the close buttons are siblings, linked by aria-owns. */}
        <div
          role="tablist"
          aria-label={messages.editor.tabs}
          aria-owns={names.map((_, index) => `${id}${index}`).join(" ")}
        />
        {names.map((tab, index) => (
          <Tab
            key={tab.path}
            id={`${id}${index}`}
            tab={tab}
            isActive={tab.path === active}
            document={documents.get(tab.path)}
            onSelect={() => onSelect(tab.path)}
            onClose={() => onClose(tab.path)}
          />
        ))}
      </div>
      {children}
    </div>
  );
}

interface TabProps {
  readonly id: string;
  readonly tab: TabName;
  readonly isActive: boolean;
  readonly document: EditorDocument | undefined;
  readonly onSelect: () => void;
  readonly onClose: () => void;
}

function Tab({ id, tab, isActive, document, onSelect, onClose }: TabProps) {
  const messages = useMessages();
  const isDirty = document?.isDirty === true;
  const state = document?.isDeleted === true ? messages.editor.deleted : isDirty ? messages.editor.unsaved : "";
  return (
    <div
      title={[tab.path, state].filter((part) => part !== "").join(" · ")}
      onAuxClick={(event) => {
        if (event.button !== 1) return;
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        // Prevents autoscroll by the middle button.
        if (event.button === 1) event.preventDefault();
      }}
      className={classes(
        "group relative flex max-w-56 shrink-0 items-center border-r border-line",
        isActive
          ? "-mb-px bg-canvas text-ink shadow-[inset_0_2px_var(--accent)]"
          : "text-ink-muted hover:bg-hover hover:text-ink",
      )}
    >
      <button
        id={id}
        type="button"
        role="tab"
        aria-selected={isActive}
        tabIndex={isActive ? 0 : -1}
        data-path={tab.path}
        onClick={onSelect}
        className="flex h-full min-w-0 items-center gap-1.5 pr-7 pl-3.5 max-tablet:pr-12 outline-offset-[-2px]"
      >
        <span className={classes("cut", document?.isDeleted === true && "text-ink-faint line-through")}>
          <VisibleText text={tab.name} names={messages.common.hidden} />
        </span>
        {tab.folder !== "" && <span className="cut text-small text-ink-faint">{tab.folder}</span>}
        {state !== "" && <span className="sr-only">{state}</span>}
      </button>
      <span className="absolute right-1 grid size-5 place-items-center max-tablet:size-8">
        {isDirty && (
          <span
            aria-hidden
            className="size-1.5 rounded-full bg-ink-muted tablet:group-focus-within:hidden tablet:group-hover:hidden max-tablet:-translate-x-5"
          />
        )}
        <button
          type="button"
          tabIndex={-1}
          aria-label={messages.editor.closeTab(tab.name)}
          onClick={onClose}
          className={classes(
            "absolute inset-0 grid place-items-center rounded-mark text-ink-muted hover:bg-pressed hover:text-ink group-hover:opacity-100 max-tablet:opacity-100",
            isActive && !isDirty ? "opacity-100" : "opacity-0 pointer-coarse:opacity-100",
          )}
        >
          <Icon of={X} size={14} />
        </button>
      </span>
    </div>
  );
}
