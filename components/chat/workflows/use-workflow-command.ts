"use client";
/** Commands of the workflow of a session; a failure is reported with what to do next. */
import { useState } from "react";
import type { CommandInput } from "@/lib/protocol/command";
import { type AgentError, anyFacts } from "@/lib/events/error";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";

type WorkflowCommand = "workflows.stop" | "workflows.continue" | "workflows.rerun" | "workflows.answer";

/** The sentence for an error of a workflow's command. */
export function workflowErrorText(
  error: AgentError,
  { workflows: text, errors }: Pick<FullMessages, "workflows" | "errors">,
): string {
  const { code } = error;
  const { step, line, input } = anyFacts(error);
  if (code === "not_idle") return text.answerFirst;
  if (code === "untrusted") return text.untrustedProject;
  if (code === "changed_meanwhile") return text.stepMoved(String(step));
  if (code === "bad_input" && line !== undefined) return text.fileProblem(String(line));
  if (code === "bad_input" && input !== undefined) return text.inputProblem(String(input));
  return errors.sentences[code];
}

export function useWorkflowCommand() {
  const messages = useFullMessages();
  const { call, toasts } = useClient();
  const [isBusy, setBusy] = useState(false);
  return {
    isBusy,
    perform<N extends WorkflowCommand>(name: N, input: CommandInput<N>): void {
      setBusy(true);
      void call(name, input).then((answer) => {
        setBusy(false);
        if (!answer.ok) toasts.show({ text: workflowErrorText(answer.error, messages), look: "danger" });
      });
    },
  };
}
