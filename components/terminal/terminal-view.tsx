"use client";
/** One terminal on the screen: its output, and a bar to start it again after it has ended. */
import { RotateCw } from "lucide-react";
import { useCallback, useEffect, useRef } from "react";
import type { TerminalId } from "@/lib/events/id";
import type { PushOf } from "@/lib/protocol/topics";
import { type TerminalInfo, terminalSize } from "@/lib/terminal/terminal";
import { terminalWriteChars } from "@/lib/protocol/terminal-commands";
import { useFullMessages } from "../messages/full-messages";
import { useClient } from "../state/client";
import { useTopic } from "../state/use-topic";
import { Button } from "../ui/controls/button";
import { Icon } from "../ui/indicators/icon";
import { createTerminalScreen, type ScreenEvents, type TerminalScreen } from "./terminal-screen";
import "./terminal.css";

interface TerminalViewProps extends Pick<ScreenEvents, "onTitle" | "onSelection" | "openFile" | "isPageKey"> {
  readonly terminal: TerminalInfo;
  /** The view adds its screen while it is mounted. */
  readonly screens: Map<TerminalId, TerminalScreen>;
  /** Whether this page has opened the terminal just now. Read once. */
  readonly isNewShell: () => boolean;
  readonly onClose: () => void;
  readonly onFocus: () => void;
}

const clamp = (value: number, { least, most }: { readonly least: number; readonly most: number }): number =>
  Math.max(least, Math.min(most, value));

export function TerminalView({ terminal, screens, isNewShell, onClose, onFocus, ...events }: TerminalViewProps) {
  const messages = useFullMessages();
  const { call } = useClient();
  const element = useRef<HTMLDivElement>(null);
  const latest = useRef({ ...events, isNewShell });
  useEffect(() => {
    latest.current = { ...events, isNewShell };
  });
  const { id: terminalId, exit } = terminal;
  const label = messages.terminal.output(terminal.name);

  useEffect(() => {
    if (element.current === null) return;
    const created = createTerminalScreen(element.current, label, {
      onInput: (text) => {
        for (let from = 0; from < text.length; from += terminalWriteChars)
          void call("terminal.write", { terminalId, text: text.slice(from, from + terminalWriteChars) });
      },
      onResize: (columns, rows) =>
        void call("terminal.resize", {
          terminalId,
          columns: clamp(columns, terminalSize.columns),
          rows: clamp(rows, terminalSize.rows),
        }),
      onTitle: (title) => latest.current.onTitle(title),
      onSelection: (hasSelection) => latest.current.onSelection(hasSelection),
      openFile: (path, line) => latest.current.openFile(path, line),
      isPageKey: (event) => latest.current.isPageKey(event),
    });
    if (latest.current.isNewShell()) created.expectNewShell();
    screens.set(terminalId, created);
    return () => {
      created.dispose();
      screens.delete(terminalId);
    };
    // The label is read once: a new name does not build the screen again.
  }, [call, screens, terminalId]);
  const restart = (): void => {
    screens.get(terminalId)?.expectNewShell();
    void call("terminal.restart", { terminalId });
    screens.get(terminalId)?.focus();
  };
  const receive = useCallback(
    (push: PushOf<"terminal"> | null) => {
      if (push !== null) screens.get(terminalId)?.show(push);
    },
    [screens, terminalId],
  );
  useTopic("terminal", terminalId, receive);

  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col" onFocus={onFocus}>
      <div ref={element} data-terminal className="terminal-screen min-h-0 min-w-0 flex-1 overflow-hidden" />
      {exit !== null && (
        <div role="status" className="flex shrink-0 items-center gap-3 border-t border-line bg-surface px-3 py-1.5">
          <span className="text-ink-muted">
            {exit.signal === null ? messages.terminal.exited(exit.code ?? 0) : messages.terminal.killed(exit.signal)}
          </span>
          <Button size="small" onClick={restart}>
            <Icon of={RotateCw} size={14} />
            {messages.terminal.restart}
          </Button>
          <Button look="quiet" size="small" onClick={onClose}>
            {messages.common.close}
          </Button>
        </div>
      )}
    </div>
  );
}
