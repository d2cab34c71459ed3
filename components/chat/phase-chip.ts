/** What the model server does, in the fewest words: for the status bar, which is there with the first screen. Pure. */
import type { Words } from "@/components/words/words";
import type { Entry, PhaseView, SessionView } from "@/lib/view";

/** The phase counts while an answer is open; afterwards its calls tell what goes on. */
export const phaseOfAnswer = (view: Pick<SessionView, "phase" | "openMessages">): PhaseView | null =>
  Object.keys(view.openMessages).length === 0 ? null : view.phase;

/** Shorter phases are told without seconds, ms. */
export const tellAfterMs = 1_000;

/** At least one second, in whole ones. */
export const wholeSeconds = (ms: number, words: Words): string =>
  words.figures.duration(Math.max(1, Math.round(ms / 1000)) * 1000);

/** A phase beside the model's name. */
export function phaseChip(phase: PhaseView, now: number, words: Words): string {
  const { chat, figures, shell } = words;
  const ms = Math.max(0, now - phase.sinceMs);
  const seconds = ms < tellAfterMs ? "" : wholeSeconds(ms, words);
  const time = seconds === "" ? "" : ` ${seconds}`;
  switch (phase.phase) {
    case "queued":
      return phase.ahead === undefined || phase.ahead === 0 ? shell.phase.queued : chat.chip.queued(phase.ahead);
    case "reading":
      return phase.tokens === undefined
        ? shell.phase.reading + time
        : chat.chip.reading(figures.tokens(phase.tokens)) + (seconds === "" ? "" : ` · ${seconds}`);
    case "calling":
      return (phase.name === undefined ? shell.phase.calling : chat.chip.calling(phase.name)) + time;
    case "writing":
      return shell.phase.writing;
    case "loading":
    case "thinking":
      return shell.phase[phase.phase] + time;
  }
}

/** A retry that waits: the time until it starts and which attempt it is. */
export function retryChip(
  { at, delayMs, attempt, of }: Extract<Entry, { kind: "retry" }>,
  now: number,
  { chat, figures }: Words,
): string {
  const leftMs = at + delayMs - now;
  return leftMs <= 0
    ? chat.chip.retryingNow(attempt, of)
    : chat.chip.retrying(attempt, of, figures.duration(Math.ceil(leftMs / 1000) * 1000));
}
