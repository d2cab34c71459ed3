"use client";
/** What the model server is doing while there is nothing to read yet. */
import { useWords, type Words } from "@/components/words/words";
import type { SessionView } from "@/lib/view";
import { Spinner } from "../ui/spinner";
import { useNow } from "./use-now";

export type PhaseView = NonNullable<SessionView["phase"]>;

/** Also for the status bar and the session list. */
export const phaseWords = (phase: PhaseView, words: Words): string =>
  phase.phase === "reading" && phase.tokens !== undefined
    ? words.chat.readingTokens(words.figures.tokens(phase.tokens))
    : words.chat.phase[phase.phase];

/** The phase counts while an answer is open; afterwards its calls tell what goes on. */
export const phaseOfAnswer = (view: Pick<SessionView, "phase" | "openMessages">): PhaseView | null =>
  Object.keys(view.openMessages).length === 0 ? null : view.phase;

const tellAfterMs = 1_000;

export function PhaseLine({ phase }: { readonly phase: PhaseView }) {
  const words = useWords();
  const now = useNow(1000);
  const ms = now - phase.sinceMs;
  return (
    <p role="status" className="flex h-7 animate-late items-center gap-2 text-base text-ink-muted tabular-nums">
      <span className="grid size-4 place-items-center">
        <Spinner className="text-accent" />
      </span>
      {phaseWords(phase, words)}
      {ms >= tellAfterMs && (
        <span className="text-ink-muted">{words.figures.duration(Math.floor(ms / 1000) * 1000)}</span>
      )}
    </p>
  );
}
