"use client";
/** Menu of a run's end: undo its changes, repeat its request with this or another model, fork from here; Continue beside it. */
import { Ellipsis, GitFork, RotateCw, Undo2 } from "lucide-react";
import { lazy, Suspense } from "react";
import { useMessages } from "../../messages/messages";
import type { MessageEntry } from "@/lib/view/view";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { Button } from "../../ui/controls/button";
import { Menu, type MenuItem } from "../../ui/controls/menu";
import { useConversationActions, useConversationFacts } from "../actions";
import { useResend } from "./use-resend";
import { menuButtonClass } from "../message/user-menu";

// Its messages are those of later screens.
const CommitRunButton = lazy(async () => ({ default: (await import("./commit-run-button")).CommitRunButton }));

interface RunMenuProps {
  /** seq of the run's end. */
  readonly seq: number;
  /** seq from which the run started, if its file changes are still there. */
  readonly from?: number;
  /** The user message of the run; absent = Continue. */
  readonly request?: MessageEntry;
  /** Always visible; the menus of other runs appear on hover. */
  readonly last: boolean;
  /** The undo of its changes is on its line. */
  readonly hasUndo: boolean;
  /** It is the newest run, and the user stopped it. */
  readonly offersContinue: boolean;
}

export function RunMenu(props: RunMenuProps) {
  const { branches, chat } = useMessages();
  const { runControls } = useConversationActions();
  const { isIdle } = useConversationFacts();
  const items = useRunMenuItems(props);
  return (
    <>
      {props.offersContinue && isIdle && runControls !== null && (
        <Button size="small" onClick={runControls.sendContinue}>
          {chat.goOn}
        </Button>
      )}
      {props.from !== undefined && props.hasUndo && (
        <Suspense>
          <CommitRunButton from={props.from} to={props.seq} />
        </Suspense>
      )}
      <Menu
        items={items}
        name={branches.run}
        aria-label={branches.run}
        className={classes(
          menuButtonClass,
          !props.last &&
            "opacity-0 group-hover/end:opacity-100 focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100",
        )}
      >
        <Icon of={Ellipsis} size={14} />
      </Menu>
    </>
  );
}

/** Menu item that undoes the changes of an earlier run. */
function useUndoItems({ from, hasUndo }: RunMenuProps): readonly MenuItem[] {
  const { chat, branches } = useMessages();
  const { restoreFiles } = useConversationActions();
  const { isIdle } = useConversationFacts();
  if (from === undefined || hasUndo || restoreFiles === undefined) return [];
  return [
    {
      id: "undo",
      icon: Undo2,
      label: chat.run.undoRun,
      ...(isIdle ? { note: chat.run.undoRunNote } : { disabled: true, note: branches.later }),
      onSelect: () => restoreFiles(from, { before: "earlier" }),
    },
  ];
}

function useRunMenuItems(props: RunMenuProps): readonly MenuItem[] {
  const { seq, request } = props;
  const undo = useUndoItems(props);
  const { branches } = useMessages();
  const { branchControls } = useConversationActions();
  const { isIdle, model } = useConversationFacts();
  const again = useResend(request);
  const fork: MenuItem = {
    id: "fork",
    icon: GitFork,
    label: branches.fork,
    note: branches.forkAfterNote,
    separated: again !== null || undo.length > 0,
    onSelect: () => branchControls?.fork(seq),
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
      note: model?.model,
      ...later,
      onSelect: () => again.resend(),
    },
    ...again.otherModels.map(({ serverName, ...other }) => ({
      id: `with ${other.connection ?? ""} ${other.model}`,
      icon: RotateCw,
      label: branches.againWith(other.model),
      note: serverName,
      ...later,
      onSelect: () => again.resend(other),
    })),
    fork,
  ];
}
