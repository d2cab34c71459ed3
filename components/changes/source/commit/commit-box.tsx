"use client";
/** Message and button of a commit, with the repository's hooks: the user decides whether they run, and can stop them. */
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../../messages/full-messages";
import { useCommandQuery } from "../../../state/use-command-query";
import { Button } from "../../../ui/controls/button";
import { Menu } from "../../../ui/controls/menu";
import { Icon } from "../../../ui/indicators/icon";
import { CommitFailure } from "./commit-failure";
import { CommitOutput } from "./commit-output";
import { CommitNotes } from "./commit-notes";
import { HookQuestion } from "./hook-question";
import { CommitMessageField } from "./commit-message-field";
import { WriteButton, WriterNotes } from "./message-writer";
import { useCommit } from "./use-commit";
import { useMessageWriter } from "./use-message-writer";
import { readCommitMessage, writeCommitMessage } from "./commit-message";
import { type RepositoryStatus } from "../source-rows";
import { useSourceActions } from "../use-source-actions";

interface CommitBoxProps {
  readonly projectId: ProjectId;
  readonly status: RepositoryStatus;
}

export function CommitBox({ projectId, status }: CommitBoxProps) {
  const { commit: text } = useFullMessages();
  const [message, setMessage] = useState(() => readCommitMessage(projectId));
  const [isAmend, setAmend] = useState(false);
  const [isSigned, setSigned] = useState(false);
  const facts = useCommandQuery("source.commit_facts", { projectId }, { retry: false }).data;
  const change = (next: string): void => {
    setMessage(next);
    writeCommitMessage(projectId, next);
  };
  const { phase, error, hooks, begin, answerHooks, stop } = useCommit({
    projectId,
    order: { message, amend: isAmend, signOff: isSigned },
    onDone() {
      change("");
      setAmend(false);
    },
  });
  const { stage } = useSourceActions(projectId);
  const unstaged = [...status.changed, ...status.untracked];
  const stagesAll = status.staged.length === 0 && !isAmend && unstaged.length > 0;
  const isEmpty = status.staged.length === 0 && !isAmend && unstaged.length === 0;
  const writer = useMessageWriter({
    projectId,
    target: { scope: isAmend ? "amended" : stagesAll ? "all" : "staged" },
    ...{ message, onMessage: change },
  });
  const isWriting = writer.phase === "writing";
  const canCommit = message.trim() !== "" && !isEmpty && !isWriting && status.conflicts.length === 0;
  const submit = async (): Promise<void> => {
    if (!canCommit || phase !== "idle") return;
    if (stagesAll) await stage(unstaged);
    await begin();
  };
  const amend = (): void => {
    if (!isAmend && message.trim() === "") change(facts?.lastMessage ?? "");
    setAmend(!isAmend);
  };
  return (
    <div className="grid gap-2 px-3 pb-2">
      <CommitMessageField message={message} onMessage={change} onSubmit={() => void submit()} />
      <div className="flex items-center gap-1">
        <Button
          look="primary"
          size="small"
          className="min-w-0 flex-1"
          busy={phase === "running"}
          disabled={!canCommit}
          onClick={() => void submit()}
        >
          <span className="cut">{isAmend ? text.amend : stagesAll ? text.stageAndCommit : text.commit}</span>
        </Button>
        {phase === "running" && (
          <Button size="small" onClick={stop}>
            {text.stop}
          </Button>
        )}
        <WriteButton writer={writer} isDisabled={isEmpty} />
        <Menu
          name={text.options}
          aria-label={text.options}
          align="end"
          className="grid size-7 shrink-0 place-items-center rounded-control text-ink-muted hover:bg-hover hover:text-ink max-tablet:size-11"
          items={[
            {
              id: "amend",
              label: isAmend ? text.noAmend : text.amendLast,
              disabled: (facts?.lastMessage ?? null) === null,
              onSelect: amend,
            },
            { id: "sign", label: isSigned ? text.noSignOff : text.signOff, onSelect: () => setSigned(!isSigned) },
          ]}
        >
          <Icon of={Ellipsis} size={14} />
        </Menu>
      </div>
      <WriterNotes writer={writer} />
      <CommitNotes {...{ facts, isAmend, isSigned }} hasConflicts={status.conflicts.length > 0} />
      {phase === "asking" && <HookQuestion hooks={hooks} onAnswer={answerHooks} />}
      <CommitOutput projectId={projectId} isShown={phase === "running" || error?.code === "hook_failed"} />
      {error !== null && <CommitFailure projectId={projectId} error={error} />}
    </div>
  );
}
