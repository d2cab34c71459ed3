"use client";
/** The terminals of the project: tabs, terminals side by side, find, and the selection as part of a message. */
import { Columns2, MessageSquarePlus, Plus, Search } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { ProjectId, TerminalId } from "@/lib/events/id";
import { isFindKey, isPageKey } from "../actions/terminal-keys";
import { useFullMessages } from "../messages/full-messages";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import { useStore } from "../state/store";
import { Button } from "../ui/controls/button";
import { IconButton } from "../ui/controls/icon-button";
import { Icon } from "../ui/indicators/icon";
import { mayTakeFocus } from "../ui/browser/focus";
import { phoneQuery, useMedia } from "../ui/layout/use-media";
import { classes } from "../ui/theme/classes";
import { TerminalFind } from "./terminal-find";
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
  const list = useQuery(queries.terminals(client.call, projectId));
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
    if (active !== undefined && ids.includes(active.id)) {
      const next = rest.find(({ id }) => id === neighbourOf(groups, active.id)) ?? rest[0];
      show(next?.id ?? null);
      if (next !== undefined) focusSoon(next.id);
    }
    for (const terminalId of ids) void client.call("terminal.close", { terminalId });
    if (rest.length === 0) onEmpty?.();
  };
  // The pane opens with a terminal; a terminal that was closed is not replaced.
  const isFirst = useRef(true);
  const isEmpty = list.data?.length === 0;
  useEffect(() => {
    if (list.data === undefined || !isFirst.current) return;
    isFirst.current = false;
    if (isEmpty) void open();
    else if (active !== undefined && mayTakeFocus()) focusSoon(active.id);
  });

  const addToMessage = (): void => {
    const text = screen()?.selection().trimEnd() ?? "";
    if (text === "") return;
    const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
    const fence = "`".repeat(longest + 1);
    client.handles.conversation?.insert(`${fence}\n${text}\n${fence}`);
    screen()?.clearSelection();
  };
  return (
    <div
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
          onAddToMessage={hasSelection && !isPhone ? addToMessage : undefined}
        >
          {children}
        </TerminalButtons>
      </TerminalTabs>
      {error !== null && (
        <p role="alert" className="border-b border-line bg-danger-soft px-3 py-2 text-danger">
          {messages.errors.sentences[error.code]}
        </p>
      )}
      {isEmpty && <NoTerminal onOpen={() => void open()} />}
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
                  isPageKey={isPageKey}
                  onFocus={() => {
                    if (stored.active !== id) show(id);
                  }}
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
          onFind={(query, direction) => screen()?.find(query, direction)}
          onClose={() => {
            setFinding(false);
            screen()?.endFind();
            screen()?.focus();
          }}
        />
      )}
      {isPhone && active !== undefined && (
        <TerminalKeyRow
          onKey={(text) => {
            void client.call("terminal.write", { terminalId: active.id, text });
            screen()?.focus();
          }}
        />
      )}
    </div>
  );
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

interface TerminalButtonsProps {
  readonly onOpen: () => void;
  /** Absent = the button is not shown; likewise below. */
  readonly onSplit: (() => void) | undefined;
  readonly onFind: (() => void) | undefined;
  readonly onAddToMessage: (() => void) | undefined;
  readonly children: ReactNode;
}

function TerminalButtons({ onOpen, onSplit, onFind, onAddToMessage, children }: TerminalButtonsProps) {
  const { terminal } = useFullMessages();
  return (
    <div className="flex shrink-0 items-center px-0.5">
      {onAddToMessage !== undefined && (
        <Button look="quiet" size="small" onClick={onAddToMessage}>
          <Icon of={MessageSquarePlus} size={14} />
          {terminal.addToMessage}
        </Button>
      )}
      <IconButton icon={Plus} name={terminal.open} onClick={onOpen} />
      {onSplit !== undefined && <IconButton icon={Columns2} name={terminal.split} onClick={onSplit} />}
      {onFind !== undefined && <IconButton icon={Search} name={terminal.find} onClick={onFind} />}
      {children}
    </div>
  );
}
