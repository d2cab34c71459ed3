"use client";
/** One terminal on the screen: its output, and a bar to start it again after it has ended. */
import { RotateCw } from "lucide-react";
import { useCallback, useEffect, useRef } from "react";
import type { TerminalId } from "@/lib/events/id";
import { settingsDefaults } from "@/lib/settings/settings";
import type { PushOf } from "@/lib/protocol/topics";
import { type TerminalInfo, terminalSize } from "@/lib/terminal/terminal";
import { terminalWriteChars } from "@/lib/protocol/terminal-commands";
import { useFullMessages } from "../messages/full-messages";
import { useClient } from "../state/client";
import { useServerState } from "../state/use-server-state";
import { useTopic } from "../state/use-topic";
import { Button } from "../ui/controls/button";
import { Icon } from "../ui/indicators/icon";
import { createTerminalScreen, type ScreenEvents, type TerminalScreen } from "./terminal-screen";
import { splitText } from "./terminal-text";
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
  const { id: terminalId, exit } = terminal;
  const options = useServerState("settings") ?? settingsDefaults;
  const latest = useRef({ ...events, isNewShell, exit, options });
  useEffect(() => {
    latest.current = { ...events, isNewShell, exit, options };
  });
  const label = messages.terminal.output(terminal.name);

  useEffect(() => {
    if (element.current === null) return;
    const created = createTerminalScreen(element.current, latest.current.options, {
      onInput: (text) => {
        for (const part of splitText(text, terminalWriteChars)) void call("terminal.write", { terminalId, text: part });
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
      // Without a shell Tab goes to the button that starts it again.
      isPageKey: (event) => latest.current.isPageKey(event) || (latest.current.exit !== null && event.key === "Tab"),
    });
    if (latest.current.isNewShell()) created.expectNewShell();
    screens.set(terminalId, created);
    return () => {
      created.dispose();
      screens.delete(terminalId);
    };
  }, [call, screens, terminalId]);
  useEffect(() => screens.get(terminalId)?.setOptions(options), [screens, terminalId, options]);
  useEffect(() => screens.get(terminalId)?.setLabel(label), [screens, terminalId, label]);
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
