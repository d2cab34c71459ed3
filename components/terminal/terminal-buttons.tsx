"use client";
/** Buttons right of the terminals' tabs, and the menu of the shown terminal. */
import {
  Columns2,
  Ellipsis,
  MessageSquarePlus,
  PanelBottom,
  PanelRight,
  Plus,
  RotateCcw,
  Search,
  Speech,
} from "lucide-react";
import type { ReactNode } from "react";
import { useFullMessages } from "../messages/full-messages";
import { useClient } from "../state/client";
import { useStore } from "../state/store";
import { useServerState } from "../state/use-server-state";
import { movePanel, narrowQuery } from "../state/workbench/layout";
import { Button } from "../ui/controls/button";
import { IconButton } from "../ui/controls/icon-button";
import { Menu } from "../ui/controls/menu";
import { Icon } from "../ui/indicators/icon";
import { useMedia } from "../ui/layout/use-media";

interface TerminalButtonsProps {
  readonly onOpen: () => void;
  /** Absent = the button is not shown; likewise below. */
  readonly onSplit: (() => void) | undefined;
  readonly onFind: (() => void) | undefined;
  readonly onAddToMessage: (() => void) | undefined;
  readonly onReset: (() => void) | undefined;
  readonly children: ReactNode;
}

export function TerminalButtons({ onOpen, onSplit, onFind, onAddToMessage, onReset, children }: TerminalButtonsProps) {
  const { terminal } = useFullMessages();
  const { call, workbench } = useClient();
  const isNarrow = useMedia(narrowQuery);
  const isRight = useStore(workbench, ({ layout }) => layout.isPanelRight);
  const isScreenReader = useServerState("settings")?.terminalScreenReader === true;
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
      {(onReset !== undefined || !isNarrow) && (
        <Menu
          name={terminal.menu}
          aria-label={terminal.menu}
          align="end"
          className="grid size-8 place-items-center rounded-control text-ink-muted hover:bg-hover hover:text-ink max-tablet:size-11"
          items={[
            ...(onReset === undefined
              ? []
              : [{ id: "reset", label: terminal.reset, icon: RotateCcw, onSelect: onReset }]),
            {
              id: "reader",
              label: isScreenReader ? terminal.stopScreenReader : terminal.startScreenReader,
              icon: Speech,
              onSelect: () => void call("settings.write", { patch: { terminalScreenReader: !isScreenReader } }),
            },
            ...(isNarrow
              ? []
              : [
                  {
                    id: "move",
                    label: isRight ? terminal.moveDown : terminal.moveRight,
                    icon: isRight ? PanelBottom : PanelRight,
                    separated: true,
                    onSelect: () => workbench.changeLayout(movePanel),
                  },
                ]),
          ]}
        >
          <Icon of={Ellipsis} size={16} />
        </Menu>
      )}
      {children}
    </div>
  );
}
