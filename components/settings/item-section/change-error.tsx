"use client";
/** Why a change was not made: the sentence of the section for this code, else the general one. */
import type { AgentError, ErrorCode } from "@/lib/events/error";
import { useMessages } from "../../messages/messages";

interface ChangeErrorProps {
  readonly error: AgentError | null;
  readonly sentences?: { readonly [code in ErrorCode]?: string };
}

export function ChangeError({ error, sentences = {} }: ChangeErrorProps) {
  const { errors } = useMessages();
  if (error === null) return null;
  return (
    <p role="alert" className="max-w-[68ch] text-danger">
      {sentences[error.code] ?? errors.sentences[error.code]}
    </p>
  );
}
