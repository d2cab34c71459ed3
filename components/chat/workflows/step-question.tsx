"use client";
/** The question of a workflow's step, with its answers or a field. */
import { MessageCircleQuestion } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { SessionId } from "@/lib/events/id";
import type { StepRecord } from "@/lib/workflows/workflow-run";
import { useFullMessages } from "../../messages/full-messages";
import { newCommandId } from "../../state/new-id";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";
import { useWorkflowCommand } from "./use-workflow-command";

interface StepQuestionProps {
  readonly sessionId: SessionId;
  readonly step: StepRecord;
}

export function StepQuestion({ sessionId, step: { key, question } }: StepQuestionProps) {
  const { workflows: text, common } = useFullMessages();
  const [typed, setTyped] = useState("");
  const { perform, isBusy } = useWorkflowCommand();
  if (question === undefined) return null;
  const answer = (value: string): void =>
    perform("workflows.answer", { sessionId, commandId: newCommandId(), step: key, answer: value });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed.trim() !== "" && !isBusy) answer(typed.trim());
  };
  return (
    <form onSubmit={submit} data-question={key} className="grid gap-2 border-t border-line bg-ask-soft px-2.5 py-2">
      <p className="flex items-start gap-2">
        <Icon of={MessageCircleQuestion} size={14} className="mt-[calc(0.5lh-7px)] text-ask" />
        <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
          <VisibleText text={question.text} names={common.hidden} />
        </span>
      </p>
      <div className="flex flex-wrap gap-2 pl-[22px]">
        {question.options.length > 0 ? (
          question.options.map((option) => (
            <Button key={option} size="small" busy={isBusy} onClick={() => answer(option)}>
              <VisibleText text={option} names={common.hidden} />
            </Button>
          ))
        ) : (
          <>
            <TextField
              aria-label={text.answer}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              className="min-w-48 flex-1"
            />
            <Button type="submit" busy={isBusy} disabled={typed.trim() === ""}>
              {text.send}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}
