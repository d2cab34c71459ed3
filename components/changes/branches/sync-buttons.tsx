"use client";
/** Buttons that publish, push and pull the branch of the source control pane, where there is something to exchange. */
import type { ProjectId } from "@/lib/events/id";
import type { SourceBranch } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../messages/full-messages";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { findBranchSync, syncLabel } from "./branch-sync";
import { useGitTerminal } from "./use-git-terminal";

interface SyncButtonsProps {
  readonly projectId: ProjectId;
  readonly branch: SourceBranch;
}

export function SyncButtons({ projectId, branch }: SyncButtonsProps) {
  const messages = useFullMessages();
  const remotes = useCommandQuery("source.remotes", { projectId }, { retry: false }).data?.remotes ?? [];
  const { isBusy, begin, question } = useGitTerminal(projectId);
  const offered = findBranchSync(branch, remotes).filter(({ kind, count }) => kind === "publish" || count > 0);
  return (
    <>
      {offered.map((sync) => (
        <Button key={sync.id} size="small" disabled={isBusy} onClick={() => begin(sync.work)}>
          {syncLabel(sync, messages)}
        </Button>
      ))}
      {question}
    </>
  );
}
