"use client";
/** The line below the message field while its text is a command: where it runs, and whether the model gets its output. */
import { Terminal } from "lucide-react";
import { useMessages } from "../../messages/messages";
import { Icon } from "../../ui/indicators/icon";

interface CommandHintProps {
  readonly text: string;
  /** The agent works: the command runs afterwards. */
  readonly running: boolean;
}

export function CommandHint({ text, running }: CommandHintProps) {
  const { userCommand } = useMessages().composer;
  const effect = text.startsWith("!!") ? userCommand.shown : userCommand.added;
  return (
    <p data-command-hint className="flex items-start gap-1.5 px-4 pt-1 text-small text-ink-muted">
      <Icon of={Terminal} size={14} className="mt-0.5 shrink-0" />
      <span>
        {effect}
        {running && ` ${userCommand.waits}`}
      </span>
    </p>
  );
}
