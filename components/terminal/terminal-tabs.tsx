"use client";
/** Tab bar of the terminals: a double click renames, a middle click closes. */
import { SquareTerminal, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import type { TerminalId } from "@/lib/events/id";
import type { TerminalInfo } from "@/lib/terminal/terminal";
import { useFullMessages } from "../messages/full-messages";
import { Icon } from "../ui/indicators/icon";
import { ScrollRow } from "../ui/layout/scroll-row";
import { VisibleText } from "../ui/text/visible-text";
import { classes } from "../ui/theme/classes";
import { isForInputMethod } from "../ui/browser/is-for-input-method";

interface TerminalTab {
  /** The terminals of the tab, side by side. */
  readonly terminals: readonly TerminalInfo[];
  readonly isActive: boolean;
  /** Title that the program of the shown terminal has set; "" = none. */
  readonly title: string;
}

interface TerminalTabsProps {
  readonly tabs: readonly TerminalTab[];
  readonly onSelect: (id: TerminalId) => void;
  readonly onClose: (ids: readonly TerminalId[]) => void;
  readonly onRename: (id: TerminalId, name: string) => void;
  /** Buttons right of the tabs. */
  readonly children: ReactNode;
}

export function TerminalTabs({ tabs, onSelect, onClose, onRename, children }: TerminalTabsProps) {
  const messages = useFullMessages();
  const id = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    const list = event.currentTarget;
    if (event.target instanceof HTMLInputElement) return;
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = tabs[tabs.findIndex(({ isActive }) => isActive) + step]?.terminals[0];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onSelect(next.id);
    requestAnimationFrame(() => list.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  };
  return (
    <div className="flex h-9 shrink-0 items-center border-b border-line bg-surface max-tablet:h-12">
      <ScrollRow
        current={tabs.find(({ isActive }) => isActive)?.terminals[0]?.id}
        onKeyDown={onKeyDown}
        className="flex h-full min-w-0 flex-1 overflow-x-auto"
      >
        {/* As in editor-tabs.tsx: a tablist has only tabs as children. */}
        <div
          role="tablist"
          aria-label={messages.terminal.tabs}
          aria-owns={tabs.map((_, index) => `${id}${index}`).join(" ")}
        />
        {tabs.map((tab, index) => (
          <Tab key={tab.terminals[0]?.id} id={`${id}${index}`} tab={tab} {...{ onSelect, onClose, onRename }} />
        ))}
      </ScrollRow>
      {children}
    </div>
  );
}

interface TabProps extends Pick<TerminalTabsProps, "onSelect" | "onClose" | "onRename"> {
  readonly id: string;
  readonly tab: TerminalTab;
}

function Tab({ id, tab: { terminals, isActive, title }, onSelect, onClose, onRename }: TabProps) {
  const messages = useFullMessages();
  const [isRenaming, setRenaming] = useState(false);
  const [first] = terminals;
  if (first === undefined) return null;
  const names = [...new Set(terminals.map((one) => one.name))];
  const name = names.length === 1 && terminals.length > 1 ? `${first.name} × ${terminals.length}` : names.join(" · ");
  const hasEnded = terminals.every(({ exit }) => exit !== null);
  const finish = (text: string): void => {
    setRenaming(false);
    const wanted = text.trim().slice(0, 60);
    if (wanted !== "" && wanted !== first.name) onRename(first.id, wanted);
  };
  const onRenameKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    if ((event.key !== "Enter" && event.key !== "Escape") || isForInputMethod(event.nativeEvent)) return;
    event.stopPropagation();
    if (event.key === "Enter") finish(event.currentTarget.value);
    else setRenaming(false);
    // The field that has the focus goes.
    onSelect(first.id);
  };
  return (
    <div
      title={title === "" ? name : `${name} · ${title}`}
      onAuxClick={(event) => {
        if (event.button !== 1) return;
        event.preventDefault();
        onClose(terminals.map(({ id }) => id));
      }}
      className={classes(
        "group relative flex max-w-64 shrink-0 items-center border-r border-line",
        isActive
          ? "bg-canvas text-ink shadow-[inset_0_2px_var(--accent)]"
          : "text-ink-muted hover:bg-hover hover:text-ink",
      )}
    >
      {isRenaming ? (
        <input
          aria-label={messages.terminal.rename}
          defaultValue={first.name}
          autoFocus
          maxLength={60}
          spellCheck={false}
          onFocus={(event) => event.target.select()}
          onBlur={(event) => finish(event.target.value)}
          onKeyDown={onRenameKey}
          className="mx-2 w-32 rounded-mark border border-accent bg-raised px-1 outline-none max-tablet:text-field"
        />
      ) : (
        <button
          type="button"
          id={id}
          role="tab"
          aria-selected={isActive}
          tabIndex={isActive ? 0 : -1}
          // The second click of a double click must not move the focus to the screen.
          onClick={() => !isActive && onSelect(first.id)}
          onDoubleClick={() => setRenaming(true)}
          onKeyDown={(event) => {
            if (event.key === "F2") setRenaming(true);
          }}
          className="flex h-full min-w-0 items-center gap-1.5 pr-8 pl-3 outline-offset-[-2px] max-tablet:pr-12"
        >
          <Icon of={SquareTerminal} size={14} />
          <span className={classes("cut", hasEnded && "text-ink-faint line-through")}>
            <VisibleText text={name} names={messages.common.hidden} />
          </span>
          {title !== "" && (
            <span className="cut text-small text-ink-faint">
              <VisibleText text={title} names={messages.common.hidden} />
            </span>
          )}
        </button>
      )}
      {!isRenaming && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={messages.terminal.close(name)}
          onClick={() => onClose(terminals.map(({ id }) => id))}
          className={classes(
            "absolute right-1.5 grid size-5 place-items-center rounded-mark text-ink-muted hover:bg-pressed hover:text-ink group-hover:opacity-100 max-tablet:size-8 max-tablet:opacity-100",
            isActive ? "opacity-100" : "opacity-0 pointer-coarse:opacity-100",
          )}
        >
          <Icon of={X} size={14} />
        </button>
      )}
    </div>
  );
}
