"use client";
/**
 * Why the built-in engine failed, or what a model server asks for, as the settings say it. These sentences are loaded when the
 * first such error is shown.
 */
import { useQuery } from "@tanstack/react-query";
import type { AgentError } from "@/lib/events/error";
import { engineErrorText } from "../../messages/engine-error-text";
import { useFullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";
import { engineQuery } from "../../state/engine-queries";
import { useClient } from "../../state/client";
import { useConversationActions } from "../actions";

interface LateSentenceProps {
  readonly error: AgentError;
  /** Sentence behind it; empty = none. */
  readonly then: string;
}

/** The next step after an unknown architecture depends on the program, which a viewer cannot see. */
export function LateSentence({ error, then }: LateSentenceProps) {
  const { runControls } = useConversationActions();
  const needsProgram = error.code === "model_unsupported" && runControls !== null;
  return needsProgram ? <ReasonWithProgram error={error} then={then} /> : <Reason error={error} then={then} />;
}

function Reason({ error, then }: LateSentenceProps) {
  const messages = useFullMessages();
  const isKey = error.code === "key_refused";
  return joinSentences(messages, [
    isKey ? messages.connectionSettings.userWanted : engineErrorText(error, messages),
    then,
  ]);
}

function ReasonWithProgram({ error, then }: LateSentenceProps) {
  const messages = useFullMessages();
  const { call } = useClient();
  // A state that was loaded before is as new as the last push: the program is not looked for again.
  const { data } = useQuery({ ...engineQuery(call), staleTime: Number.POSITIVE_INFINITY });
  return joinSentences(messages, [engineErrorText(error, messages, data?.program), then]);
}
