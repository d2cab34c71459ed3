"use client";
/** What can be done with how a run ended: ask the same again, of this model or another, or go on from here in a new session. */
import { Ellipsis, GitFork, RotateCw } from "lucide-react";
import { useWords } from "@/components/words/words";
import { textOf } from "@/lib/content";
import type { MessageEntry } from "@/lib/view";
import { classes } from "../ui/classes";
import { Icon } from "../ui/icon";
import { Menu, type MenuItem } from "../ui/menu";
import { useConversationActions, useConversationFacts } from "./actions";
import { menuButton } from "./user-menu";

export interface RunMenuProps {
  /** seq of the run's end. */
  readonly seq: number;
  /** What it was asked; absent = Continue, which is asked nothing. */
  readonly asked?: MessageEntry;
  /** It stays in sight; others are shown where the pointer is. */
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

function useItems({ seq, asked }: RunMenuProps): readonly MenuItem[] {
  const { branches } = useWords();
  const { branch } = useConversationActions();
  const { isIdle, model, server, isOllama } = useConversationFacts();
  const fork: MenuItem = {
    id: "fork",
    icon: GitFork,
    label: branches.fork,
    note: branches.forkAfterNote,
    separated: asked !== undefined,
    onSelect: () => branch?.fork(seq),
  };
  const { from } = asked ?? {};
  if (asked === undefined || from === undefined) return [fork];
  const text = textOf(asked.blocks.flatMap((block) => (block.type === "input" ? [] : [block])));
  const later = isIdle ? {} : { disabled: true, note: branches.later };
  const others = (server?.models ?? [])
    .filter(({ capabilities }) => capabilities.length === 0 || capabilities.includes("completion"))
    .filter(({ name }) => !isOllama || name !== model?.model);
  return [
    {
      id: "again",
      icon: RotateCw,
      label: branches.again,
      ...(model === null ? {} : { note: model.model }),
      ...later,
      onSelect: () => void branch?.resend(from, text),
    },
    ...others.map(({ name }) => ({
      id: `with ${name}`,
      icon: RotateCw,
      label: branches.againWith(name),
      ...later,
      onSelect: () => void branch?.resend(from, text, name),
    })),
    fork,
  ];
}
