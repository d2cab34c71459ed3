"use client";
/** Reason why a commit was not made, with git's own text unless the output of the hooks is shown, and the way through a terminal where one is needed. */
import type { AgentError } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../../messages/full-messages";
import { Button } from "../../../ui/controls/button";
import { useSourceChange } from "../use-source-change";

interface CommitFailureProps {
  readonly projectId: ProjectId;
  readonly error: AgentError;
}

export function CommitFailure({ projectId, error }: CommitFailureProps) {
  const { commit: text, errors } = useFullMessages();
  const { remedyOf, runLine } = useSourceChange(projectId);
  const remedy = remedyOf(error);
  const command = error.code === "needs_terminal" ? error.facts?.command : undefined;
  return (
    <div role="alert" className="grid gap-2 rounded-control bg-danger-soft px-2 py-1.5 text-small">
      <p className="text-pretty">{errors.sentences[error.code]}</p>
      {error.code !== "hook_failed" && error.detail !== undefined && error.detail !== "" && (
        <pre className="max-h-32 overflow-auto font-mono text-tiny whitespace-pre-wrap [overflow-wrap:anywhere]">
          {error.detail}
        </pre>
      )}
      {remedy !== undefined && (
        <Button size="small" className="justify-self-start" onClick={remedy.onSelect}>
          {remedy.label}
        </Button>
      )}
      {command !== undefined && (
        <Button
          size="small"
          className="justify-self-start"
          onClick={() => void runLine({ name: "git commit", line: command })}
        >
          {text.inTerminal}
        </Button>
      )}
    </div>
  );
}
