"use client";
/** Reason why a commit was not made, with git's own text unless the output of the hooks is shown, and the way through a terminal where one is needed. */
import type { AgentError } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { useSourceChange } from "./use-source-change";

interface CommitFailureProps {
  readonly projectId: ProjectId;
  readonly error: AgentError;
}

/** Size of the terminal until it is shown. */
const size = { columns: 100, rows: 24 };

export function CommitFailure({ projectId, error }: CommitFailureProps) {
  const { commit: text, errors } = useFullMessages();
  const { call, toasts, workbench } = useClient();
  const remedy = useSourceChange(projectId).remedyOf(error);
  const command = error.code === "needs_terminal" ? error.facts?.command : undefined;
  const openTerminal = async (line: string): Promise<void> => {
    const opened = await call("terminal.open", { projectId, ...size });
    if (!opened.ok) return toasts.show({ text: errors.sentences[opened.error.code], look: "danger" });
    workbench.changeLayout((layout) => ({ ...layout, bottom: "terminal" }));
    await call("terminal.write", { terminalId: opened.value.terminal.id, text: `${line}\r` });
  };
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
        <Button size="small" className="justify-self-start" onClick={() => void openTerminal(command)}>
          {text.inTerminal}
        </Button>
      )}
    </div>
  );
}
