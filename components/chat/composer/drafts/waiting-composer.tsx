"use client";
/** Localised message field of a session that is being opened. */
import { useMessages } from "../../../messages/messages";
import { EarlyField } from "./early-field";

export function WaitingComposer({ draftKey }: { readonly draftKey: string }) {
  const { composer } = useMessages();
  return <EarlyField draftKey={draftKey} label={composer.label} placeholder={composer.placeholder.idle} />;
}
