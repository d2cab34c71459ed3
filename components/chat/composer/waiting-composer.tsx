"use client";
/** Localised message field of a session that is being opened. */
import { useWords } from "@/components/words/words";
import { EarlyField } from "./early-field";

export function WaitingComposer({ draftKey }: { readonly draftKey: string }) {
  const { composer } = useWords();
  return <EarlyField draftKey={draftKey} label={composer.label} placeholder={composer.placeholder.idle} />;
}
