"use client";
/** Menu header of an imported session. */
import { FileInput } from "lucide-react";
import { useMessages } from "../../messages/messages";
import { Icon } from "../../ui/indicators/icon";

export function ImportedMark() {
  const { sessions } = useMessages();
  return (
    <p data-imported className="flex items-center gap-1.5 px-2 py-1 text-small text-ink-muted">
      <Icon of={FileInput} size={12} />
      {sessions.imported}
    </p>
  );
}
