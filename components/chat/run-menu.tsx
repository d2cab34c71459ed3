"use client";
/** Menu of a run's end: undo its changes, repeat its request with this or another model, fork from here. */
import { Ellipsis, GitFork, RotateCw, Undo2 } from "lucide-react";
import { useWords } from "@/components/words/words";
import type { MessageEntry } from "@/lib/view";
import { classes } from "../ui/classes";
import { Icon } from "../ui/icon";
import { Menu, type MenuItem } from "../ui/menu";
import { useConversationActions, useConversationFacts } from "./actions";
import { useAskAgain } from "./ask-again";
import { menuButton } from "./user-menu";

export interface RunMenuProps {
  /** seq of the run's end. */
  readonly seq: number;
  /** seq from which the run started, if it changed files. */
  readonly from?: number;
  /** The user message of the run; absent = Continue. */
  readonly request?: MessageEntry;
  /** Always visible; the menus of other runs appear on hover. */
  readonly last: boolean;
}

export function RunMenu(props: RunMenuProps) {
  const { branches } = useWords();
  const items = useItems(props);
  return (
    <Menu
      items={items}
      name={branches.run}
      aria-label={branches.run}
      className={classes(
        menuButton,
        !props.last &&
          "opacity-0 group-hover/end:opacity-100 focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100",
      )}
    >
      <Icon of={Ellipsis} size={14} />
    </Menu>
  );
}

/** Menu item that undoes the changes of an earlier run. */
function useUndoItems({ from, last }: RunMenuProps): readonly MenuItem[] {
  const { chat, branches } = useWords();
  const { restoreFiles } = useConversationActions();
  const { isIdle } = useConversationFacts();
  if (from === undefined || last || restoreFiles === undefined) return [];
  return [
    {
      id: "undo",
      icon: Undo2,
      label: chat.run.undoRun,
      ...(isIdle ? { note: chat.run.undoRunNote } : { disabled: true, note: branches.later }),
      onSelect: () => restoreFiles(from, "earlier"),
    },
  ];
}

function useItems(props: RunMenuProps): readonly MenuItem[] {
  const { seq, request } = props;
  const undo = useUndoItems(props);
  const { branches } = useWords();
  const { branch } = useConversationActions();
  const { isIdle, model } = useConversationFacts();
  const again = useAskAgain(request);
  const fork: MenuItem = {
    id: "fork",
    icon: GitFork,
    label: branches.fork,
    note: branches.forkAfterNote,
    separated: again !== null || undo.length > 0,
    onSelect: () => branch?.fork(seq),
  };
  if (again === null) return [...undo, fork];
  const later = isIdle ? {} : { disabled: true, note: branches.later };
  return [
    ...undo,
    {
      id: "again",
      icon: RotateCw,
      label: branches.again,
      separated: undo.length > 0,
      ...(model === null ? {} : { note: model.model }),
      ...later,
      onSelect: () => again.ask(),
    },
    ...again.others.map(({ place, ...other }) => ({
      id: `with ${other.connection ?? ""} ${other.model}`,
      icon: RotateCw,
      label: branches.againWith(other.model),
      ...(place === undefined ? {} : { note: place }),
      ...later,
      onSelect: () => again.ask(other),
    })),
    fork,
  ];
}
