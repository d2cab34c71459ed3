"use client";
/** An error in one sentence; that of the built-in engine with the reason it had. */
import { lazy, Suspense } from "react";
import type { AgentError } from "@/lib/events/error";
import { joinSentences } from "../../messages/join-sentences";
import { useMessages } from "../../messages/messages";
import { formatErrorSentence, hasEngineReason } from "./find-remedies";

const EngineReason = lazy(async () => ({ default: (await import("./engine-reason")).EngineReason }));

interface ErrorSentenceProps {
  readonly error: AgentError;
  /** Of the model server. */
  readonly host?: string;
  /** Sentence behind it; empty = none. */
  readonly then?: string;
}

export function ErrorSentence({ error, host, then = "" }: ErrorSentenceProps) {
  const messages = useMessages();
  if (!hasEngineReason(error)) return joinSentences(messages, [formatErrorSentence(error, messages, host), then]);
  return (
    // The line has its height from the start.
    <Suspense fallback={"\u00a0"}>
      <EngineReason error={error} then={then} />
    </Suspense>
  );
}
