"use client";
/** Text of the chip with the state of a run: the phase of its answer, or the pause before a retry; counts the seconds. */
import type { Entry, PhaseView } from "@/lib/view/view";
import { formatPhaseChip, formatRetryChip } from "../../chat/run/phase-chip";
import { useConversationMessages } from "../../messages/conversation-messages";
import { useNow } from "../../ui/text/use-now";

interface LivePhaseProps {
  readonly of: PhaseView | Extract<Entry, { kind: "retry" }>;
}

export function LivePhase({ of }: LivePhaseProps) {
  const messages = useConversationMessages();
  const now = useNow(1000);
  return "kind" in of ? formatRetryChip(of, now, messages) : formatPhaseChip(of, now, messages);
}
