"use client";
/** Menu of the side list: all sessions, or those of one state. */
import { useFullMessages } from "../../messages/full-messages";
import { MenuList, type MenuListProps } from "../../ui/controls/menu";
import type { ShownSessions } from "./session-list";

interface ShownSessionsMenuProps extends Pick<MenuListProps, "id" | "anchor" | "onClose"> {
  readonly shown: ShownSessions;
  readonly onShown: (shown: ShownSessions) => void;
}

const choices: readonly ShownSessions[] = ["all", "running", "waiting", "failed"];

export function ShownSessionsMenu({ shown, onShown, ...menu }: ShownSessionsMenuProps) {
  const { sessions, sessionHistory } = useFullMessages();
  const items = choices.map((id) => ({ id, label: sessionHistory.shown[id], onSelect: () => onShown(id) }));
  return <MenuList {...menu} items={items} name={sessions.filter} chosen={shown} side="below" align="end" />;
}
