"use client";
/**
 * Tab bar of the editor: a dot marks unsaved files, strikethrough deleted ones, italics the preview, which a double
 * click keeps open; a middle click closes.
 */
import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { previewKindOf } from "@/lib/workspace/preview-kind";
import { ContextMenu } from "../../ui/controls/context-menu";
import { copyText } from "../../ui/controls/copy-button";
import type { MenuItem } from "../../ui/controls/menu";
import { useMedia } from "../../ui/layout/use-media";
import { classes } from "../../ui/theme/classes";
import { useServerState } from "../../state/use-server-state";
import { fileIconOf } from "../../ui/indicators/file-icon";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import type { EditorGroup } from "../../state/workbench/layout";
import type { PinControl } from "../../state/workbench/component-handles";
import type { EditorDocument } from "../documents/open-documents";
import type { GroupTab, SplitControl } from "../split-control";
import { type TabName, tabNames } from "./tab-names";

interface EditorTabsProps {
  readonly group: EditorGroup;
  readonly isFocused: boolean;
  readonly documents: ReadonlyMap<string, EditorDocument>;
  readonly control: SplitControl;
  readonly onSelect: (path: string) => void;
  readonly onClose: (paths: readonly string[]) => void;
  readonly onKeep: (path: string) => void;
  /** Shown right of the tabs. */
  readonly children?: ReactNode;
}

export function EditorTabs(props: EditorTabsProps) {
  const { group, isFocused, documents, control, onSelect, onClose, onKeep, children } = props;
  const { tabs: paths, activeTab: active, previewTab: preview } = group;
  const messages = useFullMessages();
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const names = tabNames(paths);
  useEffect(() => {
    if (list.current === null) return;
    const { current } = list;
    const observer = new ResizeObserver(() =>
      current.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    );
    // Called at once, and when a button beside the tabs appears.
    observer.observe(current);
    return () => observer.disconnect();
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
            isFocused={isFocused}
            isPreview={tab.path === preview}
            group={group.group}
            control={control}
            document={documents.get(tab.path)}
            onSelect={() => onSelect(tab.path)}
            closeItems={() => closeItems(paths, tab.path, documents, onClose, messages)}
            onClose={() => onClose([tab.path])}
            onKeep={() => onKeep(tab.path)}
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
  /** Its group has the focus. */
  readonly isFocused: boolean;
  readonly isPreview: boolean;
  readonly group: number;
  readonly control: SplitControl;
  readonly document: EditorDocument | undefined;
  /** The menu items that close tabs. */
  readonly closeItems: () => readonly MenuItem[];
  readonly onSelect: () => void;
  readonly onClose: () => void;
  readonly onKeep: () => void;
}

function Tab(props: TabProps) {
  const { id, tab, isActive, isFocused, isPreview, group, control, document } = props;
  const { closeItems, onSelect, onClose, onKeep } = props;
  const messages = useFullMessages();
  const { handles, workbench } = useClient();
  const isTouch = useMedia("(pointer: coarse)");
  const hasIcon = useServerState("settings")?.editorFileIcons !== false;
  const [menuAt, setMenuAt] = useState<{ readonly x: number; readonly y: number } | null>(null);
  const isDirty = document?.isDirty === true;
  const { deleted, unsaved, preview } = messages.editor;
  const state = document?.isDeleted === true ? deleted : isDirty ? unsaved : isPreview ? preview : "";
  return (
    <div
      title={[tab.path, state].filter((part) => part !== "").join(" · ")}
      onAuxClick={(event) => {
        if (event.button !== 1) return;
        event.preventDefault();
        onClose();
      }}
      onDoubleClick={onKeep}
      onContextMenu={(event) => {
        event.preventDefault();
        setMenuAt({ x: event.clientX, y: event.clientY });
      }}
      draggable={!isTouch}
      onDragStart={({ dataTransfer }) => {
        // Without data Firefox starts no drag; a text would be inserted by the editor.
        dataTransfer.setData("application/x-gopi-web-tab", tab.path);
        dataTransfer.effectAllowed = "move";
        control.dragged.current = { group, path: tab.path };
      }}
      onDragEnd={() => {
        control.dragged.current = null;
      }}
      onPointerDown={(event) => {
        // Prevents autoscroll by the middle button.
        if (event.button === 1) event.preventDefault();
      }}
      className={classes(
        "group relative flex max-w-56 shrink-0 items-center border-r border-line",
        isActive && "-mb-px bg-canvas",
        isActive && isFocused
          ? "text-ink shadow-[inset_0_2px_var(--accent)]"
          : classes("text-ink-muted hover:text-ink", !isActive && "hover:bg-hover"),
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
        className="flex h-full min-w-0 items-center gap-1.5 pr-7 pl-3 max-tablet:pr-12 outline-offset-[-2px]"
      >
        {hasIcon && <Icon of={fileIconOf(tab.name)} size={14} className="text-ink-faint" />}
        <span
          className={classes(
            "cut",
            // The last letter leans over its box.
            isPreview && "italic pr-[0.2em] [font-synthesis:style]",
            document?.isDeleted === true && "text-ink-faint line-through",
          )}
        >
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
      {menuAt !== null && (
        <ContextMenu
          at={menuAt}
          name={messages.editor.tabMenu(tab.name)}
          items={[
            ...(isPreview ? [{ id: "keep", label: messages.editor.keepOpen, onSelect: onKeep }] : []),
            ...pinItem(handles.composer?.pins ?? null, tab.path, messages),
            ...(previewKindOf(tab.path) === null
              ? []
              : [
                  {
                    id: "preview",
                    label: messages.actions.names.togglePreview,
                    onSelect: () => {
                      onSelect();
                      handles.editor?.togglePreview(tab.path);
                    },
                  },
                ]),
            ...splitItems(control, { group, path: tab.path }, messages),
            {
              id: "reveal",
              label: messages.editor.reveal,
              onSelect: () => workbench.revealInTree(tab.path),
            },
            {
              id: "path",
              label: messages.files.copyRelativePath,
              onSelect: () => void copyText(tab.path),
            },
            ...closeItems(),
          ]}
          onClose={(isRefocused) => {
            setMenuAt(null);
            if (isRefocused) globalThis.document.getElementById(id)?.focus();
          }}
        />
      )}
    </div>
  );
}

/** The menu items that close the tab and others of its group, in this order: those without effect are left out. */
function closeItems(
  paths: readonly string[],
  path: string,
  documents: ReadonlyMap<string, EditorDocument>,
  close: (paths: readonly string[]) => void,
  { editor }: FullMessages,
): readonly MenuItem[] {
  const item = (id: string, label: string, closed: readonly string[]) => ({ id, label, onSelect: () => close(closed) });
  const others = paths.filter((other) => other !== path);
  const right = paths.slice(paths.indexOf(path) + 1);
  const saved = paths.filter((one) => documents.get(one)?.isDirty !== true);
  return [
    { ...item("close", editor.close, [path]), separated: true },
    ...(others.length === 0 ? [] : [item("others", editor.closeOthers, others)]),
    ...(right.length === 0 || right.length === others.length ? [] : [item("right", editor.closeToTheRight, right)]),
    ...(saved.length === 0 || saved.length === paths.length ? [] : [item("saved", editor.closeSaved, saved)]),
    ...(others.length === 0 ? [] : [item("all", editor.closeAll, paths)]),
  ];
}

/** The menu items that open the file in another group, or move its tab there. */
function splitItems(
  { hasRoom, isSplit, split, moveTab }: SplitControl,
  tab: GroupTab,
  { editor }: FullMessages,
): readonly MenuItem[] {
  if (isSplit) return [{ id: "move", label: editor.groups.move, onSelect: () => moveTab(tab) }];
  return hasRoom ? [{ id: "split", label: editor.groups.split, onSelect: () => split(tab.path) }] : [];
}

/** The menu item that pins the file to the session of the composer; none without a composer. */
function pinItem(pins: PinControl | null, path: string, { files }: FullMessages): readonly MenuItem[] {
  if (pins === null) return [];
  const isPinned = pins.isPinned(path);
  return [
    {
      id: "pin",
      label: isPinned ? files.unpin : files.pin,
      onSelect: () => void pins.setPinned(path, !isPinned),
    },
  ];
}
