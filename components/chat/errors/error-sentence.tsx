"use client";
/** An error in one sentence, with the reason that its facts name. */
import { lazy, Suspense } from "react";
import type { AgentError } from "@/lib/events/error";
import { joinSentences } from "../../messages/join-sentences";
import { useConversationMessages } from "../../messages/conversation-messages";
import { formatErrorSentence, hasLateSentence } from "./find-remedies";

const LateSentence = lazy(async () => ({ default: (await import("./late-sentence")).LateSentence }));

interface ErrorSentenceProps {
  readonly error: AgentError;
  /** Host of the model server. */
  readonly host?: string;
  /** Sentence behind it; empty = none. */
  readonly then?: string;
}

export function ErrorSentence({ error, host, then = "" }: ErrorSentenceProps) {
  const messages = useConversationMessages();
  if (!hasLateSentence(error)) return joinSentences(messages, [formatErrorSentence(error, messages, host), then]);
  return (
    // The line has its height from the start.
    <Suspense fallback={"\u00a0"}>
      <LateSentence error={error} then={then} />
    </Suspense>
  );
}
