"use client";
/** Why a change was not made: the sentence of the section for this code, else the general one. */
import type { AgentError, ErrorCode } from "@/lib/events/error";
import { useMessages } from "../../messages/messages";
import { classes } from "../../ui/theme/classes";

interface ChangeErrorProps {
  readonly error: AgentError | null | undefined;
  readonly sentences?: { readonly [code in ErrorCode]?: string };
  readonly className?: string;
}

export function ChangeError({ error, sentences = {}, className }: ChangeErrorProps) {
  const { errors } = useMessages();
  if (error === null || error === undefined) return null;
  return (
    <p role="alert" className={classes("max-w-[68ch] text-danger", className)}>
      {sentences[error.code] ?? errors.sentences[error.code]}
    </p>
  );
}
