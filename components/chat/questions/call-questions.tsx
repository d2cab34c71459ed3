"use client";
/** The questions that a server asks during a call, below the line of the call. A viewer gets none. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { CallId } from "@/lib/events/id";
import type { ElicitationView } from "@/lib/tools/elicitation";
import { useClient } from "../../state/client";
import { callValue } from "../../state/queries";
import { useConversationActions } from "../actions";
import { QuestionCard } from "./question-card";

interface CallQuestionsProps {
  readonly callId: CallId;
}

type Call = Parameters<typeof callValue>[0];

/** All questions that wait. A push replaces them. */
const questionsQuery = (call: Call) =>
  queryOptions<readonly ElicitationView[]>({
    queryKey: ["questions"],
    staleTime: 0,
    queryFn: async () => (await callValue(call, "mcp.questions", {})).questions,
  });

export function CallQuestions({ callId }: CallQuestionsProps) {
  return useConversationActions().runControls === null ? null : <OwnQuestions callId={callId} />;
}

function OwnQuestions({ callId }: CallQuestionsProps) {
  const { data = [] } = useQuery(questionsQuery(useClient().call));
  return data
    .filter((question) => question.callId === callId)
    .map((question) => <QuestionCard key={question.id} question={question} />);
}
