"use client";
/** The model server's phase while there is no text to show yet, and a warning after a long silence. */
import { CircleAlert } from "lucide-react";
import { useConversationMessages } from "../../messages/conversation-messages";
import { useMessages } from "../../messages/messages";
import type { PhaseView } from "@/lib/view/view";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { Spinner } from "../../ui/indicators/spinner";
import { useConversationActions } from "../actions";
import { describePhase } from "./describe-phase";
import { formatWholeSeconds } from "./phase-chip";
import { useNow } from "../../ui/text/use-now";

interface PhaseLineProps {
  readonly phase: PhaseView;
  /** Time of the session's last event, ms epoch. */
  readonly lastEventAt: number;
  /** The row above already shows the phase: only a long silence is shown. */
  readonly silenceOnly?: boolean;
}

export function PhaseLine({ phase, lastEventAt, silenceOnly = false }: PhaseLineProps) {
  const messages = useConversationMessages();
  const now = useNow(1000);
  const { text, time, offer, silenceMs } = describePhase(phase, { now, lastEventAt }, messages);
  return (
    <div className="text-base text-ink-muted tabular-nums">
      {!silenceOnly && (
        <div className="flex min-h-7 animate-late items-center gap-2">
          <span className="grid size-4 shrink-0 place-items-center">
            <Spinner className="text-accent" />
          </span>
          <p role="status" className="min-w-0">
            {text}
          </p>
          {time !== "" && <span className="shrink-0 text-ink-faint">{time}</span>}
          {offer !== null && <PhaseOffer offer={offer} />}
        </div>
      )}
      {silenceMs !== null && (
        <p role="status" className="flex min-h-7 animate-appear items-center gap-2 text-ask">
          <Icon of={CircleAlert} />
          <span className="min-w-0">{messages.chat.quiet(formatWholeSeconds(silenceMs, messages))}</span>
        </p>
      )}
    </div>
  );
}

/** Button for a phase that takes long; nothing for a viewer. */
export function PhaseOffer({ offer }: { readonly offer: "runFirst" | "answerNow" }) {
  const messages = useMessages();
  const { runControls } = useConversationActions();
  if (runControls === null) return null;
  return (
    <Button
      size="small"
      title={messages.chat.offerNotes[offer]}
      onClick={runControls[offer]}
      className="ml-1 animate-appear"
    >
      {messages.chat[offer]}
    </Button>
  );
}
