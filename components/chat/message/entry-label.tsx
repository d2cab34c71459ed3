"use client";
/** The user's label of an entry: display and inline editing. */
import { Tag } from "lucide-react";
import { useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import { limits } from "@/lib/settings/settings";
import { Icon } from "../../ui/indicators/icon";
import { TextField } from "../../ui/controls/text-field";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

export const EntryLabel = ({ name }: { readonly name: string }) => (
  <p className="flex items-center gap-1 pb-1 text-small font-medium text-accent">
    <Icon of={Tag} size={12} />
    <span className="cut">{name}</span>
  </p>
);

interface EntryLabelFieldProps {
  readonly name: string;
  /** null = unchanged; empty = delete the label. */
  readonly onDone: (name: string | null) => void;
}

/** Enter and blur save; Esc discards. */
export function EntryLabelField({ name, onDone }: EntryLabelFieldProps) {
  const { messageActions } = useConversationMessages();
  const [draft, setDraft] = useState(name);
  const keep = (): void => onDone(draft.trim() === name ? null : draft.trim());
  return (
    <TextField
      autoFocus
      value={draft}
      maxLength={limits.labelMaxChars}
      aria-label={messageActions.nameLabel}
      placeholder={messageActions.nameLabel}
      className="mb-2"
      onChange={(event) => setDraft(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (isForInputMethod(event.nativeEvent)) return;
        if (event.key === "Enter") keep();
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onDone(null);
      }}
    />
  );
}
