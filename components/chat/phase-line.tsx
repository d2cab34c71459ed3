"use client";
/** The model server's phase while there is no text to show yet, and a warning after a long silence. */
import { CircleAlert } from "lucide-react";
import { useWords } from "@/components/words/words";
import type { PhaseView } from "@/lib/view";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { Spinner } from "../ui/spinner";
import { useConversationActions } from "./actions";
import { tellPhase } from "./phase";
import { wholeSeconds } from "./phase-chip";
import { useNow } from "./use-now";

export interface PhaseLineProps {
  readonly phase: PhaseView;
  /** Time of the session's last event, ms epoch. */
  readonly newsAt: number;
  /** The row above already shows the phase: only a long silence is shown. */
  readonly quietOnly?: boolean;
}

export function PhaseLine({ phase, newsAt, quietOnly = false }: PhaseLineProps) {
  const words = useWords();
  const now = useNow(1000);
  const { text, time, offer, quietMs } = tellPhase(phase, { now, newsAt }, words);
  return (
    <div className="text-base text-ink-muted tabular-nums">
      {!quietOnly && (
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
      {quietMs !== null && (
        <p role="status" className="flex min-h-7 animate-appear items-center gap-2 text-ask">
          <Icon of={CircleAlert} />
          <span className="min-w-0">{words.chat.quiet(wholeSeconds(quietMs, words))}</span>
        </p>
      )}
    </div>
  );
}

/** Button for a phase that takes long; nothing for a viewer. */
export function PhaseOffer({ offer }: { readonly offer: "runFirst" | "answerNow" }) {
  const words = useWords();
  const { drive } = useConversationActions();
  if (drive === null) return null;
  return (
    <Button size="small" title={words.chat.offerNotes[offer]} onClick={drive[offer]} className="ml-1 animate-appear">
      {words.chat[offer]}
    </Button>
  );
}
