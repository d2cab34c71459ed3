"use client";
/** The ways not to answer a question. */
import type { ElicitedContent } from "@/lib/tools/elicitation";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";

export type AnswerQuestion = (action: "accept" | "decline" | "cancel", content?: ElicitedContent) => void;

interface RefuseQuestionProps {
  readonly isSending: boolean;
  readonly onAnswer: AnswerQuestion;
}

export function RefuseQuestion({ isSending, onAnswer }: RefuseQuestionProps) {
  const { questions: text } = useFullMessages();
  return (
    <>
      <Button disabled={isSending} onClick={() => onAnswer("decline")}>
        {text.decline}
      </Button>
      <Button look="quiet" disabled={isSending} onClick={() => onAnswer("cancel")}>
        {text.cancel}
      </Button>
    </>
  );
}
