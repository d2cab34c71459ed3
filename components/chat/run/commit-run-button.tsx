"use client";
/** Opens the form that commits the changes of a run, while something in the repository is not committed. */
import { skipToken } from "@tanstack/react-query";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { useCommandQuery } from "../../state/use-command-query";
import { getCommitTarget } from "../../state/workbench/commit-target";
import { Button } from "../../ui/controls/button";
import { useConversationFacts } from "../actions";

interface CommitRunButtonProps {
  /** The border at which the run started, and its end. */
  readonly from: number;
  readonly to: number;
}

export function CommitRunButton({ from, to }: CommitRunButtonProps) {
  const { commit } = useFullMessages();
  const client = useClient();
  const { workbench } = client;
  const { sessionId, isIdle } = useConversationFacts();
  const projectId = useStore(workbench, (state) => state.projectId);
  const isTrusted =
    useCommandQuery("project.open", projectId === null ? skipToken : { projectId }).data?.trusted === true;
  const marks = useCommandQuery("project.marks", isTrusted && projectId !== null ? { projectId } : skipToken, {
    retry: false,
  }).data?.marks;
  if (sessionId === null || marks === undefined || marks === null || marks.length === 0) return null;
  return (
    <Button
      size="small"
      look="quiet"
      disabled={!isIdle}
      onClick={() => {
        getCommitTarget(client).set({ sessionId, from, to });
        workbench.showOverlay("commit_run");
      }}
    >
      {commit.run.open}
    </Button>
  );
}
