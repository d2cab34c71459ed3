"use client";
/** The button that opens the subagents below a row of the session list; they open by themselves when one is on screen. */
import { ChevronRight } from "lucide-react";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { SessionId } from "@/lib/events/id";
import type { SessionRow } from "@/lib/protocol/session-row";
import { useClient } from "../../state/client";
import { useMessages } from "../../messages/messages";
import { Icon } from "../../ui/indicators/icon";
import { classes } from "../../ui/theme/classes";
import type { SubagentToggle } from "./session-branch";
import { sessionTitle } from "./session-commands";

interface SubagentToggleButtonProps {
  readonly toggle: SubagentToggle;
  readonly row: SessionRow;
  /** The session on screen. */
  readonly currentId: SessionId | null;
}

export function SubagentToggleButton({ toggle, row, currentId }: SubagentToggleButtonProps) {
  const messages = useMessages();
  const isChildOpen = useParentId(currentId) === row.id;
  const { isOpen, onToggle } = toggle;
  useEffect(() => {
    if (isChildOpen && !isOpen) onToggle();
    // Only when the session on screen changes: the user may close the rows while a child is on screen.
  }, [isChildOpen, currentId]);
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={`${messages.sessions.subagents(row.subagents ?? 0)}: ${sessionTitle(messages, row)}`}
      onClick={onToggle}
      className="absolute inset-y-0 left-0 grid w-5 place-items-center rounded-control text-ink-faint outline-offset-[-2px] hover:text-ink max-tablet:w-11"
    >
      <Icon of={ChevronRight} size={12} className={classes("transition-[rotate]", isOpen && "rotate-90")} />
    </button>
  );
}

/** Returns the session that started the session on screen; null = none did, or its view is still loading. */
function useParentId(currentId: SessionId | null): SessionId | null {
  const client = useClient();
  const store = useMemo(() => (currentId === null ? null : client.session(currentId)), [client, currentId]);
  return useSyncExternalStore(
    store?.subscribe ?? subscribeToNothing,
    () => {
      const parent = store?.get().view?.parent;
      return parent?.relation === "subagent" ? parent.sessionId : null;
    },
    () => null,
  );
}

const subscribeToNothing = () => () => undefined;
