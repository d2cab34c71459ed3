"use client";
/** Message and button of a commit, with the repository's hooks: the user decides whether they run, and can stop them. */
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { Hash, ProjectId } from "@/lib/events/id";
import type { CommitFacts } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { useCommandQuery } from "../../../state/use-command-query";
import { isForInputMethod } from "../../../ui/browser/is-for-input-method";
import { Button } from "../../../ui/controls/button";
import { Menu } from "../../../ui/controls/menu";
import { TextArea } from "../../../ui/controls/text-area";
import { Icon } from "../../../ui/indicators/icon";
import { classes } from "../../../ui/theme/classes";
import { CommitFailure } from "./commit-failure";
import { CommitOutput } from "./commit-output";
import { readCommitMessage, writeCommitMessage } from "./commit-message";
import { type RepositoryStatus } from "../source-rows";
import { useSourceActions } from "../use-source-actions";
import { useSourceChange } from "../use-source-change";

interface CommitBoxProps {
  readonly projectId: ProjectId;
  readonly status: RepositoryStatus;
}

/** Characters of a first line that every list of commits shows, and those that most show. */
const subjectChars = { good: 50, most: 72 };

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
  const canCommit = message.trim() !== "" && !isEmpty && status.conflicts.length === 0;
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
      <MessageField message={message} onMessage={change} onSubmit={() => void submit()} />
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
      <Notes {...{ facts, isAmend, isSigned }} hasConflicts={status.conflicts.length > 0} />
      {phase === "asking" && <HookQuestion hooks={hooks} onAnswer={answerHooks} />}
      <CommitOutput projectId={projectId} isShown={phase === "running" || error?.code === "hook_failed"} />
      {error !== null && <CommitFailure projectId={projectId} error={error} />}
    </div>
  );
}

interface MessageFieldProps {
  readonly message: string;
  readonly onMessage: (message: string) => void;
  readonly onSubmit: () => void;
}

/** Grows with its text; the length of the first line is shown when it becomes long. */
function MessageField({ message, onMessage, onSubmit }: MessageFieldProps) {
  const { commit: text } = useFullMessages();
  const length = [...(message.split("\n", 1)[0] ?? "")].length;
  return (
    <div className="relative">
      <TextArea
        rows={Math.min(8, Math.max(2, message.split("\n").length))}
        value={message}
        placeholder={text.message}
        aria-label={text.message}
        onChange={({ target }) => onMessage(target.value)}
        onKeyDown={(event) => {
          const isSubmit = event.key === "Enter" && (event.ctrlKey || event.metaKey);
          if (!isSubmit || isForInputMethod(event.nativeEvent)) return;
          event.preventDefault();
          onSubmit();
        }}
      />
      {length > subjectChars.good && (
        <span
          title={text.subjectNote}
          className={classes(
            "absolute right-2 bottom-1.5 text-tiny tabular-nums",
            length > subjectChars.most ? "text-ask" : "text-ink-faint",
          )}
        >
          {text.subject(length, subjectChars.most)}
        </span>
      )}
    </div>
  );
}

interface NotesProps {
  readonly facts: CommitFacts | undefined;
  readonly isAmend: boolean;
  readonly isSigned: boolean;
  readonly hasConflicts: boolean;
}

function Notes({ facts, isAmend, isSigned, hasConflicts }: NotesProps) {
  const { commit: text } = useFullMessages();
  const notes = [
    hasConflicts ? text.resolveFirst : "",
    facts?.identity === null ? text.noIdentity : "",
    isAmend && facts?.lastIsPushed === true ? text.isPushed : "",
    isSigned ? text.willSignOff : "",
  ].filter((note) => note !== "");
  return notes.map((note) => (
    <p key={note} className="text-small text-pretty text-ink-muted">
      {note}
    </p>
  ));
}

interface HookQuestionProps {
  readonly hooks: CommitFacts["hooks"];
  readonly onAnswer: (answer: "run" | "skip" | null) => void;
}

function HookQuestion({ hooks, onAnswer }: HookQuestionProps) {
  const { commit: text, common } = useFullMessages();
  return (
    <div role="alert" className="grid gap-2 rounded-control bg-ask-soft px-2 py-1.5 text-small">
      <p className="text-pretty">{text.hooks(hooks.map(({ name }) => name).join(", "))}</p>
      <div className="flex flex-wrap gap-1">
        <Button size="small" onClick={() => onAnswer("run")}>
          {text.runHooks}
        </Button>
        <Button size="small" onClick={() => onAnswer("skip")}>
          {text.skipHooks}
        </Button>
        <Button size="small" look="quiet" onClick={() => onAnswer(null)}>
          {common.cancel}
        </Button>
      </div>
    </div>
  );
}

interface CommitRequest {
  readonly projectId: ProjectId;
  readonly order: { readonly message: string; readonly amend: boolean; readonly signOff: boolean };
  readonly onDone: () => void;
}

/** asking = the user decides whether the hooks run. */
type Phase = "idle" | "asking" | "running";

function useCommit({ projectId, order, onDone }: CommitRequest) {
  const { commit: text } = useFullMessages();
  const { call, toasts } = useClient();
  const { attempt } = useSourceChange(projectId);
  const [phase, setPhase] = useState<Phase>("idle");
  const [error, setError] = useState<AgentError | null>(null);
  /** The facts that the decision about the hooks is for. */
  const [decided, setDecided] = useState<CommitFacts | null>(null);
  const commit = async (hooks: "run" | "skip", hooksHash?: Hash): Promise<void> => {
    setPhase("running");
    setError(null);
    const hash = hooks === "run" ? { hooksHash } : {};
    const answer = await attempt("source.commit", { projectId, ...order, hooks, ...hash });
    setPhase("idle");
    if (answer.ok) {
      onDone();
      toasts.show({ text: text.done(answer.value.commit.slice(0, shortHashChars)) });
    } else if (answer.error.code !== "aborted") setError(answer.error);
  };
  return {
    phase,
    error,
    hooks: decided?.hooks ?? [],
    async begin(): Promise<void> {
      const facts = await call("source.commit_facts", { projectId });
      if (!facts.ok) return setError(facts.error);
      const { hooks, hooksHash, areHooksApproved } = facts.value;
      if (hooks.length === 0) return commit("skip");
      if (areHooksApproved) return commit("run", hooksHash);
      setDecided(facts.value);
      setPhase("asking");
    },
    answerHooks(answer: "run" | "skip" | null): void {
      if (answer === null) setPhase("idle");
      else void commit(answer, decided?.hooksHash);
    },
    stop: () => void call("source.stop", { projectId }),
  };
}

const shortHashChars = 8;
