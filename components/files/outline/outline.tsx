"use client";
/** Symbols of the open file below the file tree, as a tree that follows the caret. */
import {
  Box,
  Braces,
  ChevronRight,
  Hash,
  KeyRound,
  type LucideIcon,
  Package,
  Paintbrush,
  Shapes,
  SquareFunction,
  Variable,
} from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import type { EditorSymbol } from "../../state/workbench/component-handles";
import { useStore } from "../../state/store";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { type ListHandle, VirtualList } from "../../ui/layout/virtual-list";
import { indentStyle } from "../file-tree-row-view";

const icons: Readonly<Record<EditorSymbol["kind"], LucideIcon>> = {
  function: SquareFunction,
  method: Braces,
  class: Box,
  type: Shapes,
  variable: Variable,
  module: Package,
  heading: Hash,
  key: KeyRound,
  rule: Paintbrush,
};

/** Delay from a change of text or caret until the symbols are read again, ms. */
const readDelayMs = 150;
const rowPx = 28;
const shownRows = 12;

export function Outline() {
  const { workbench } = useClient();
  const { files } = useFullMessages();
  const isOpen = useStore(workbench, ({ layout }) => layout.tree.showsOutline);
  const hasFile = useStore(workbench, ({ layout }) => layout.activeTab !== null);
  if (!hasFile) return null;
  return (
    <section aria-label={files.outline} className="shrink-0 border-t border-line pb-1 max-tablet:hidden">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() =>
          workbench.changeLayout((layout) => ({ ...layout, tree: { ...layout.tree, showsOutline: !isOpen } }))
        }
        className="flex h-8 w-full items-center gap-1.5 px-3 text-small font-medium text-ink-muted outline-offset-[-2px] hover:text-ink"
      >
        <Icon of={ChevronRight} size={14} className={classes("transition-transform", isOpen && "rotate-90")} />
        {files.outline}
      </button>
      {isOpen && <SymbolTree />}
    </section>
  );
}

/** Returns the symbols of the active file, and its path; null = they are not known yet. */
function useSymbols(): { readonly path: string; readonly symbols: readonly EditorSymbol[] } | null {
  const { handles, editorStatus } = useClient();
  const status = useStore(editorStatus, (value) => value);
  const [read, setRead] = useState<ReturnType<typeof useSymbols>>(null);
  useEffect(() => {
    if (status === null) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const symbols = (await handles.editor?.symbols()) ?? null;
      if (isCurrent && symbols !== null) setRead({ path: status.path, symbols });
    }, readDelayMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [status, handles]);
  return read !== null && (status === null || status.path === read.path) ? read : null;
}

function SymbolTree() {
  const { workbench, editorStatus } = useClient();
  const { files, palette } = useFullMessages();
  const line = useStore(editorStatus, (status) => status?.line ?? null);
  const read = useSymbols();
  const symbols = read?.symbols ?? [];
  const id = useId();
  const list = useRef<ListHandle | null>(null);
  /** Row that the keys have moved to while the caret was at a symbol; null = none. */
  const [moved, setMoved] = useState<{ readonly index: number; readonly atCaret: number } | null>(null);
  const atCaret = line === null ? -1 : symbols.findLastIndex((symbol) => symbol.line <= line);
  const focused = moved?.atCaret === atCaret ? moved.index : Math.max(0, atCaret);
  useEffect(() => {
    if (atCaret >= 0) list.current?.scrollToIndex(atCaret, { align: "auto" });
  }, [atCaret, read?.path]);
  const goTo = (symbol: EditorSymbol | undefined): void => {
    if (read !== null && symbol !== undefined) workbench.openFile(read.path, symbol.line);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isForInputMethod(event.nativeEvent)) return;
    const next = { ArrowDown: focused + 1, ArrowUp: focused - 1, Home: 0, End: symbols.length - 1 }[event.key];
    if (event.key === "Enter") goTo(symbols[focused]);
    else if (next === undefined) return;
    else {
      const index = Math.max(0, Math.min(symbols.length - 1, next));
      setMoved({ index, atCaret });
      list.current?.scrollToIndex(index, { align: "auto" });
    }
    event.preventDefault();
  };
  if (read === null) return null;
  if (symbols.length === 0) return <p className="px-3 py-1 text-small text-ink-muted">{files.noOutline}</p>;
  return (
    <VirtualList
      role="tree"
      tabIndex={0}
      aria-label={files.outline}
      aria-activedescendant={`${id}${focused}`}
      onKeyDown={onKeyDown}
      count={symbols.length}
      keyOf={String}
      estimate={() => rowPx}
      handle={list}
      style={{ height: Math.min(symbols.length, shownRows) * rowPx }}
      className="max-h-[40dvh] overflow-y-auto outline-none"
      row={(index) => {
        const symbol = symbols[index];
        return (
          symbol !== undefined && (
            <div
              id={`${id}${index}`}
              role="treeitem"
              aria-level={symbol.depth + 1}
              aria-selected={index === focused}
              aria-current={index === atCaret ? "true" : undefined}
              title={`${palette.kinds[symbol.kind]} · ${String(symbol.line)}`}
              onClick={() => goTo(symbol)}
              style={indentStyle(symbol.depth)}
              className={classes(
                "mx-1.5 flex h-7 cursor-default items-center gap-1.5 rounded-control pr-1 select-none",
                index === atCaret ? "bg-pressed" : "hover:bg-hover",
                index === focused &&
                  "in-focus-visible:outline-2 in-focus-visible:-outline-offset-2 in-focus-visible:outline-accent",
              )}
            >
              <Icon of={icons[symbol.kind]} size={14} className="text-ink-faint" />
              <span className="min-w-0 flex-1 cut">{symbol.name}</span>
            </div>
          )
        );
      }}
    />
  );
}
