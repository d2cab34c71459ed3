"use client";
/** The terminals of the project: tabs, terminals side by side, find, and the selection as part of a message. */
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { ProjectId, TerminalId } from "@/lib/events/id";
import { keymapOf } from "../actions/keymap";
import { isFindKey, isPageKey } from "../actions/terminal-keys";
import { useFullMessages } from "../messages/full-messages";
import { useClient } from "../state/client";
import { useCommandQuery } from "../state/use-command-query";
import { useStore } from "../state/store";
import { Button } from "../ui/controls/button";
import { mayTakeFocus, opensKeyboard } from "../ui/browser/focus";
import { phoneQuery, useMedia } from "../ui/layout/use-media";
import { classes } from "../ui/theme/classes";
import { TerminalButtons } from "./terminal-buttons";
import { TerminalFind } from "./terminal-find";
import type { TerminalFindRequest } from "./terminal-search";
import { addBeside, neighbourOf, reconcileGroups, type TerminalGroups } from "./terminal-groups";
import { TerminalKeyRow } from "./terminal-key-row";
import type { TerminalScreen } from "./terminal-screen";
import { TerminalTabs } from "./terminal-tabs";
import { TerminalView } from "./terminal-view";

interface TerminalPaneProps {
  readonly projectId: ProjectId;
  readonly openFile: (path: string, line?: number) => void;
  /** Called after the last terminal was closed; absent = the pane stays. */
  readonly onEmpty?: () => void;
  /** Buttons of the layout. */
  readonly children?: ReactNode;
}

/** Size of a terminal until its screen has been measured. */
const firstSize = { columns: 80, rows: 24 };

export function TerminalPane({ projectId, openFile, onEmpty, children }: TerminalPaneProps) {
  const messages = useFullMessages();
  const client = useClient();
  const isPhone = useMedia(phoneQuery);
  const list = useCommandQuery("terminal.list", { projectId }, { select: ({ terminals }) => terminals });
  const terminals = list.data ?? [];
  const { stored, groups, arrange } = useTerminalLayout(
    terminals.map(({ id }) => id),
    isPhone,
  );
  const active = terminals.find(({ id }) => id === stored.active) ?? terminals[0];
  const group = groups.find((ids) => active !== undefined && ids.includes(active.id)) ?? [];
  const [error, setError] = useState<AgentError | null>(null);
  const [titles, setTitles] = useState<ReadonlyMap<TerminalId, string>>(new Map());
  const [isFinding, setFinding] = useState(false);
  const [hasSelection, setHasSelection] = useState(false);
  const screens = useRef(new Map<TerminalId, TerminalScreen>());
  const newShells = useRef({ opening: 0, ids: new Set<TerminalId>() });
  const screen = (): TerminalScreen | undefined => (active === undefined ? undefined : screens.current.get(active.id));

  const show = (id: TerminalId | null): void => {
    setHasSelection(false);
    arrange((now) => now, id);
  };
  const focusSoon = (id: TerminalId): void => void requestAnimationFrame(() => screens.current.get(id)?.focus());
  const select = (id: TerminalId): void => {
    show(id);
    focusSoon(id);
  };
  const open = async (beside?: TerminalId): Promise<void> => {
    newShells.current.opening += 1;
    const answer = await client.call("terminal.open", { projectId, ...firstSize });
    newShells.current.opening -= 1;
    setError(answer.ok ? null : answer.error);
    if (!answer.ok || client.workbench.get().projectId !== projectId) return;
    const { id } = answer.value.terminal;
    // Its view may be there already: the list arrives before the answer.
    if (!screens.current.has(id)) newShells.current.ids.add(id);
    arrange((now) => (beside === undefined ? now : addBeside(now, beside, id)), id);
    focusSoon(id);
  };
  const close = (ids: readonly TerminalId[]): void => {
    const rest = terminals.filter(({ id }) => !ids.includes(id));
    const isShown = active !== undefined && ids.includes(active.id);
    const next = rest.find(({ id }) => id === (isShown ? neighbourOf(groups, active.id) : active?.id)) ?? rest[0];
    if (isShown) show(next?.id ?? null);
    for (const terminalId of ids) void client.call("terminal.close", { terminalId });
    if (rest.length === 0) onEmpty?.();
    if (next !== undefined) focusSoon(next.id);
    else if (!isPhone) client.handles.conversation?.focusComposer();
  };
  // The pane opens with a terminal; a terminal that was closed is not replaced.
  const isFirst = useRef(true);
  useEffect(() => {
    if (list.data === undefined || !isFirst.current) return;
    isFirst.current = false;
    if (list.data.length === 0) void open();
    else if (active !== undefined && mayTakeFocus()) focusSoon(active.id);
  });
  useAwaitedFocus(active?.id, focusSoon);

  const pane = useFocusAfterClose();

  const reset = (terminalId: TerminalId): void => {
    void client.call("terminal.reset", { terminalId });
    focusSoon(terminalId);
  };
  const addToMessage = (): void => {
    const text = screen()?.selection().trimEnd() ?? "";
    if (text === "") return;
    const label = messages.terminal.output(active?.name ?? "");
    client.handles.conversation?.attach({ kind: "text", label, text });
    screen()?.clearSelection();
  };
  return (
    <div
      ref={pane}
      className="relative flex min-h-0 min-w-0 flex-1 flex-col"
      onKeyDown={(event) => {
        if (!isFindKey(event.nativeEvent)) return;
        event.preventDefault();
        setFinding(true);
      }}
    >
      <TerminalTabs
        tabs={groups.map((ids) => ({
          terminals: ids.flatMap((id) => terminals.find((one) => one.id === id) ?? []),
          isActive: ids === group,
          title: ids.length === 1 ? ids.map((id) => titles.get(id) ?? "").join("") : "",
        }))}
        onSelect={select}
        onClose={close}
        onRename={(terminalId, name) => void client.call("terminal.rename", { terminalId, name })}
      >
        <TerminalButtons
          onOpen={() => void open()}
          onSplit={isPhone || active === undefined ? undefined : () => void open(active.id)}
          onFind={active === undefined ? undefined : () => setFinding(true)}
          onReset={active === undefined ? undefined : () => reset(active.id)}
          onAddToMessage={hasSelection && !isPhone ? addToMessage : undefined}
        >
          {children}
        </TerminalButtons>
      </TerminalTabs>
      {error !== null && <TerminalError error={error} />}
      {list.data?.length === 0 && <NoTerminal onOpen={() => void open()} />}
      <div className="flex min-h-0 min-w-0 flex-1">
        {group.map((id, index) => {
          const terminal = terminals.find((one) => one.id === id);
          return (
            terminal !== undefined && (
              <div key={id} className={classes("flex min-h-0 min-w-0 flex-1", index > 0 && "border-l border-line")}>
                <TerminalView
                  terminal={terminal}
                  screens={screens.current}
                  isNewShell={() => newShells.current.ids.delete(id) || newShells.current.opening > 0}
                  onClose={() => close([id])}
                  openFile={openFile}
                  isPageKey={(event) => isPageKey(event, keymapOf(client.serverState.get().settings))}
                  onFocus={() => stored.active !== id && show(id)}
                  onTitle={(title) => setTitles((now) => new Map(now).set(id, title))}
                  onSelection={setHasSelection}
                />
              </div>
            )
          );
        })}
      </div>
      {isFinding && (
        <TerminalFind
          onFind={(request) => findIn(screens.current.values(), screen(), request)}
          onClose={() => {
            setFinding(false);
            findIn(screens.current.values(), screen(), null);
            screen()?.focus();
          }}
        />
      )}
      {isPhone && active !== undefined && (
        <TerminalKeyRow
          onKey={(text) => {
            void client.call("terminal.write", { terminalId: active.id, text: screen()?.encodeKey(text) ?? text });
            screen()?.focus();
          }}
        />
      )}
    </div>
  );
}

/**
 * Returns the ref of the pane. When a pane that has the focus is closed, the message field gets it, unless an on-screen
 * keyboard would open.
 */
function useFocusAfterClose(): RefObject<HTMLDivElement | null> {
  const { handles } = useClient();
  const pane = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = pane.current;
    return () => {
      if (element?.contains(document.activeElement) === true && !opensKeyboard())
        requestAnimationFrame(() => handles.conversation?.focusComposer());
    };
  }, [handles]);
  return pane;
}

/** The arrangement of the terminals, which is stored in the layout of the project. */
function useTerminalLayout(existing: readonly TerminalId[], isPhone: boolean) {
  const { workbench } = useClient();
  const stored = useStore(workbench, ({ layout }) => layout.terminals);
  return {
    stored,
    // A phone has no room for terminals side by side: each is a tab of its own there, and that is not stored.
    groups: reconcileGroups(isPhone ? [] : stored.groups, existing),
    arrange: (change: (groups: TerminalGroups) => TerminalGroups, active: TerminalId | null): void =>
      workbench.changeLayout((layout) => {
        const { groups } = layout.terminals;
        return {
          ...layout,
          terminals: { groups: isPhone ? groups : change(reconcileGroups(groups, existing)), active },
        };
      }),
  };
}

function TerminalError({ error }: { readonly error: AgentError }) {
  const { errors } = useFullMessages();
  return (
    <p role="alert" className="border-b border-line bg-danger-soft px-3 py-2 text-danger">
      {errors.sentences[error.code]}
    </p>
  );
}

function NoTerminal({ onOpen }: { readonly onOpen: () => void }) {
  const { terminal } = useFullMessages();
  return (
    <div className="grid flex-1 place-items-center p-6 text-center">
      <div className="flex flex-col items-center gap-3">
        <p className="text-ink-muted">{terminal.none}</p>
        <Button onClick={onOpen}>{terminal.open}</Button>
      </div>
    </div>
  );
}

/** Focuses the active terminal when an action requests it, also if it appears later. */
function useAwaitedFocus(active: TerminalId | undefined, focus: (id: TerminalId) => void): void {
  const { workbench } = useClient();
  const isAwaited = useStore(workbench, (state) => state.isTerminalAwaited);
  useEffect(() => {
    if (!isAwaited || active === undefined) return;
    workbench.awaitTerminal(false);
    focus(active);
  });
}

/** Finds in one of the screens and ends the find in the others; null ends it in all. */
function findIn(
  screens: Iterable<TerminalScreen>,
  shown: TerminalScreen | undefined,
  request: TerminalFindRequest | null,
): void {
  for (const screen of screens) if (request === null || screen !== shown) screen.endFind();
  if (request !== null) shown?.find(request);
}
