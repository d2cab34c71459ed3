"use client";
/** Actions of a user message: copy and edit as buttons, others in a menu; on touch devices all in the menu. */
import { Copy, Ellipsis, FolderClock, GitFork, Pencil, Tag, Undo2 } from "lucide-react";
import { useConversationMessages } from "../../messages/conversation-messages";
import { classes } from "../../ui/theme/classes";
import { CopyButton, copyText } from "../../ui/controls/copy-button";
import { Icon } from "../../ui/indicators/icon";
import { IconButton } from "../../ui/controls/icon-button";
import { Menu, type MenuItem } from "../../ui/controls/menu";
import { useConversationActions, useConversationFacts } from "../actions";

interface UserMenuProps {
  readonly text: string;
  /** seq before the message: target of rewind and fork. */
  readonly from: number;
  readonly isNamed: boolean;
  readonly onEdit: () => void;
  readonly onName: () => void;
}

export function UserMenu(props: UserMenuProps) {
  const messages = useConversationMessages();
  const { isIdle } = useConversationFacts();
  const { text, onEdit } = props;
  const items = useUserMenuItems(props);
  return (
    <div className="absolute top-1 right-1 flex rounded-control bg-raised opacity-0 pointer-coarse:top-0 pointer-coarse:right-0 pointer-coarse:bg-transparent group-focus-within:opacity-100 group-hover:opacity-100 has-data-[state=open]:opacity-100 pointer-coarse:opacity-100">
      <CopyButton
        text={() => text}
        name={messages.chat.copyMessage}
        doneName={messages.common.copied}
        className="pointer-coarse:hidden"
      />
      {isIdle && (
        <IconButton
          icon={Pencil}
          size="small"
          name={messages.messageActions.edit}
          onClick={onEdit}
          className="pointer-coarse:hidden"
        />
      )}
      <Menu
        items={items}
        name={messages.messageActions.message}
        align="end"
        aria-label={messages.messageActions.message}
        className={menuButtonClass}
      >
        <Icon of={Ellipsis} size={14} />
      </Menu>
    </div>
  );
}

/** Classes of the three-dot button; enlarged to a finger's size on touch devices. */
export const menuButtonClass = classes(
  "grid size-6 place-items-center rounded-control text-ink-muted hover:bg-hover hover:text-ink data-[state=open]:bg-pressed pointer-coarse:size-11",
);

function useUserMenuItems({ text, from, isNamed, onEdit, onName }: UserMenuProps): readonly MenuItem[] {
  const { branches, messageActions } = useConversationMessages();
  const { branchControls, restoreFiles } = useConversationActions();
  const { isIdle } = useConversationFacts();
  const later = isIdle ? {} : { disabled: true, note: branches.later };
  return [
    { id: "copy", icon: Copy, label: messageActions.copy, onSelect: () => void copyText(text) },
    { id: "edit", icon: Pencil, label: messageActions.edit, ...later, onSelect: onEdit },
    {
      id: "rewind",
      icon: Undo2,
      label: messageActions.rewind,
      note: messageActions.rewindNote,
      ...later,
      separated: true,
      onSelect: () => branchControls?.rewind(from, text),
    },
    ...(restoreFiles === undefined
      ? []
      : [
          {
            id: "restore",
            icon: FolderClock,
            label: messageActions.restore,
            note: messageActions.restoreNote,
            ...later,
            onSelect: () => restoreFiles(from),
          },
        ]),
    {
      id: "fork",
      icon: GitFork,
      label: messageActions.forkBefore,
      note: messageActions.forkNote,
      onSelect: () => branchControls?.fork(from),
    },
    { id: "name", icon: Tag, label: isNamed ? branches.rename : branches.name, separated: true, onSelect: onName },
  ];
}
