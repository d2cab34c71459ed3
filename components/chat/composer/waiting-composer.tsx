"use client";
/** The message field of a session that is still being opened, in the language of the user. Drawn by the conversation's panes. */
import { useWords } from "@/components/words/words";
import { EarlyField } from "./early-field";

export function WaitingComposer({ draftKey }: { readonly draftKey: string }) {
  const { composer } = useWords();
  return <EarlyField draftKey={draftKey} label={composer.label} placeholder={composer.placeholder.idle} />;
}
