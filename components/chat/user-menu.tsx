"use client";
/** What can be done with a message of the user: copy and edit at once, the rest in a menu; on touch all of it in the menu. */
import { Copy, Ellipsis, FolderClock, GitFork, Pencil, Tag, Undo2 } from "lucide-react";
import { useWords } from "@/components/words/words";
import { classes } from "../ui/classes";
import { CopyButton, copyText } from "../ui/copy-button";
import { Icon } from "../ui/icon";
import { IconButton } from "../ui/icon-button";
import { Menu, type MenuItem } from "../ui/menu";
import { useConversationActions, useConversationFacts } from "./actions";

export interface UserMenuProps {
  readonly text: string;
  /** The border before the message. */
  readonly from: number;
  readonly isNamed: boolean;
  readonly onEdit: () => void;
  readonly onName: () => void;
}

export function UserMenu(props: UserMenuProps) {
  const words = useWords();
  const { isIdle } = useConversationFacts();
  const { text, onEdit } = props;
  const items = useItems(props);
  return (
    <div className="absolute top-1 right-1 flex rounded-control bg-raised opacity-0 pointer-coarse:top-0 pointer-coarse:right-0 pointer-coarse:bg-transparent group-focus-within:opacity-100 group-hover:opacity-100 has-data-[state=open]:opacity-100 pointer-coarse:opacity-100">
      <CopyButton
        text={() => text}
        name={words.chat.copyMessage}
        doneName={words.common.copied}
        className="pointer-coarse:hidden"
      />
      {isIdle && (
        <IconButton
          icon={Pencil}
          size="small"
          name={words.branches.edit}
          onClick={onEdit}
          className="pointer-coarse:hidden"
        />
      )}
      <Menu
        items={items}
        name={words.branches.message}
        align="end"
        aria-label={words.branches.message}
        className={menuButton}
      >
        <Icon of={Ellipsis} size={14} />
      </Menu>
    </div>
  );
}

/** The three points; as large as a finger on touch. */
export const menuButton = classes(
  "grid size-6 place-items-center rounded-control text-ink-muted hover:bg-hover hover:text-ink data-[state=open]:bg-pressed pointer-coarse:size-11",
);

function useItems({ text, from, isNamed, onEdit, onName }: UserMenuProps): readonly MenuItem[] {
  const { branches: told } = useWords();
  const { branch, restoreFiles } = useConversationActions();
  const { isIdle } = useConversationFacts();
  const later = isIdle ? {} : { disabled: true, note: told.later };
  return [
    { id: "copy", icon: Copy, label: told.copy, onSelect: () => void copyText(text) },
    { id: "edit", icon: Pencil, label: told.edit, ...later, onSelect: onEdit },
    {
      id: "rewind",
      icon: Undo2,
      label: told.rewind,
      note: told.rewindNote,
      ...later,
      separated: true,
      onSelect: () => branch?.rewind(from, text),
    },
    ...(restoreFiles === undefined
      ? []
      : [
          {
            id: "restore",
            icon: FolderClock,
            label: told.restore,
            note: told.restoreNote,
            ...later,
            onSelect: () => restoreFiles(from),
          },
        ]),
    { id: "fork", icon: GitFork, label: told.forkBefore, note: told.forkNote, onSelect: () => branch?.fork(from) },
    { id: "name", icon: Tag, label: isNamed ? told.rename : told.name, separated: true, onSelect: onName },
  ];
}
