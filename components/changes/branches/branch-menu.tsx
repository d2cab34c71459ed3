"use client";
/** Menu of the checked-out branch: switch, new branch, exchange with remotes, all branches; and the dialogs it opens. */
import {
  ArrowDown,
  ArrowUp,
  CloudDownload,
  CloudUpload,
  GitBranch,
  GitBranchPlus,
  List,
  ShieldCheck,
} from "lucide-react";
import { useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { SourceBranchRow } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { CallError } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";
import { type MenuItem, MenuList, type MenuListProps } from "../../ui/controls/menu";
import { Skeleton } from "../../ui/indicators/skeleton";
import { findBranchSync, syncLabel } from "./branch-sync";
import { BranchesDialog } from "./branches-dialog";
import { NewBranchDialog } from "./new-branch-dialog";
import { useGitTerminal } from "./use-git-terminal";

type BranchDialogName = "new" | "all";
import { useSwitch } from "./use-switch";

interface BranchMenuProps extends Pick<MenuListProps, "id" | "anchor" | "onClose"> {
  readonly projectId: ProjectId;
  readonly isOpen: boolean;
}

export function BranchMenu({ projectId, isOpen, ...menu }: BranchMenuProps) {
  const [dialog, setDialog] = useState<BranchDialogName | null>(null);
  const { begin, question } = useGitTerminal(projectId);
  const closeDialog = (): void => setDialog(null);
  return (
    <>
      {isOpen && <BranchMenuList {...menu} {...{ projectId, begin }} onDialog={setDialog} />}
      {dialog === "new" && <NewBranchDialog projectId={projectId} onClose={closeDialog} />}
      {dialog === "all" && <BranchesDialog projectId={projectId} onClose={closeDialog} />}
      {question}
    </>
  );
}

interface BranchMenuListProps extends Omit<BranchMenuProps, "isOpen"> {
  readonly begin: ReturnType<typeof useGitTerminal>["begin"];
  readonly onDialog: (dialog: BranchDialogName) => void;
}

/** Branches in the menu; the dialog shows all. */
const shownBranches = 8;
const syncIcons = { publish: CloudUpload, push: ArrowUp, pull: ArrowDown };

function BranchMenuList({ projectId, id, anchor, onClose, begin, onDialog }: BranchMenuListProps) {
  const messages = useFullMessages();
  const { gitRefs: text, source, changes, common } = messages;
  const { workbench } = useClient();
  const switchTo = useSwitch(projectId);
  const branches = useCommandQuery("source.branches", { projectId }, { retry: false });
  const remotes = useCommandQuery("source.remotes", { projectId }, { retry: false });
  const isLoading = branches.isPending || remotes.isPending;
  const isUntrusted = branches.error instanceof CallError && branches.error.error.code === "untrusted";
  const current = branches.data?.branches.find(({ isCurrent }) => isCurrent);
  const items = (): readonly MenuItem[] => {
    if (isUntrusted)
      return [{ id: "trust", label: changes.trust, icon: ShieldCheck, onSelect: () => workbench.showOverlay("trust") }];
    if (branches.data === undefined) return [];
    return [
      ...recentBranches(branches.data.branches).map(({ name }) => ({
        id: `switch ${name}`,
        label: name,
        icon: GitBranch,
        onSelect: () => void switchTo({ branch: name }),
      })),
      { id: "new", label: text.newBranchItem, icon: GitBranchPlus, separated: true, onSelect: () => onDialog("new") },
      { id: "all", label: text.all, icon: List, onSelect: () => onDialog("all") },
      ...(current === undefined ? [] : findBranchSync(current, remotes.data?.remotes ?? [])).map((sync, index) => ({
        id: sync.id,
        label: syncLabel(sync, messages),
        icon: syncIcons[sync.kind],
        separated: index === 0,
        disabled: sync.kind === "push" && sync.count === 0,
        onSelect: () => begin(sync.work),
      })),
      ...(remotes.data === undefined || remotes.data.remotes.length === 0
        ? []
        : [{ id: "fetch", label: text.fetch, icon: CloudDownload, onSelect: () => begin({ kind: "fetch" }) }]),
    ];
  };
  const { upstream, ahead = 0, behind = 0 } = current ?? {};
  const note = isUntrusted
    ? changes.untrusted
    : branches.isError
      ? changes.failed
      : upstream !== undefined && ahead + behind > 0 && source.distance(ahead, behind, upstream);
  return (
    <MenuList
      // The first item takes the focus when there are items.
      key={String(isLoading)}
      {...{ id, anchor, onClose }}
      name={text.title}
      side="below"
      align="start"
      items={isLoading ? [] : items()}
      header={
        isLoading ? (
          <Skeleton label={common.loading} className="h-24" />
        ) : (
          note !== false && <p className="px-2 py-1 text-small text-pretty text-ink-muted">{note}</p>
        )
      }
    />
  );
}

/** Returns the branches with the newest commits that can be checked out here. */
const recentBranches = (branches: readonly SourceBranchRow[]): readonly SourceBranchRow[] =>
  branches
    .filter(({ isRemote, isCurrent, worktree }) => !isRemote && !isCurrent && worktree === undefined)
    .slice(0, shownBranches);
