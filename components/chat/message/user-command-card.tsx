"use client";
/** A command that the user ran from the message field, with its output, which is shown until it is collapsed. */
import type { CallView } from "@/lib/view/view";
import { useConversationMessages } from "../../messages/conversation-messages";
import { useConversationActions } from "../actions";
import { ToolLine } from "../tools/tool-line";

interface UserCommandCardProps {
  readonly call: CallView;
  /** The model gets the output with the next message. */
  readonly isAdded: boolean;
  /** The user pressed the line: it is collapsed. */
  readonly open: boolean;
  readonly onToggle: () => void;
}

export function UserCommandCard({ call, isAdded, open, onToggle }: UserCommandCardProps) {
  const { userCommand } = useConversationMessages();
  const { runControls } = useConversationActions();
  return (
    <article aria-label={userCommand.name} className="rounded-card border border-line bg-raised px-3.5 py-1.5">
      <ToolLine call={call} open={!open} onToggle={onToggle} />
      {runControls !== null && (
        <p className="pb-1 pl-6 text-small text-ink-muted">{isAdded ? userCommand.added : userCommand.shown}</p>
      )}
    </article>
  );
}
