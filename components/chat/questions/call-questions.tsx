"use client";
/** The questions that a server asks during a call, below the line of the call. A viewer gets none. */
import type { CallId } from "@/lib/events/id";
import { useConversationActions } from "../actions";
import { QuestionCard } from "./question-card";
import { useCommandQuery } from "../../state/use-command-query";

interface CallQuestionsProps {
  readonly callId: CallId;
}

export function CallQuestions({ callId }: CallQuestionsProps) {
  return useConversationActions().runControls === null ? null : <OwnQuestions callId={callId} />;
}

function OwnQuestions({ callId }: CallQuestionsProps) {
  const { data = [] } = useCommandQuery("mcp.questions", {}, { select: ({ questions }) => questions });
  return data
    .filter((question) => question.callId === callId)
    .map((question) => <QuestionCard key={question.id} question={question} />);
}
