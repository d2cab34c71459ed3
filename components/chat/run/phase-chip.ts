/** Formats the model server's phase as a short text for the status bar. Pure. */
import type { ConversationMessages } from "../../messages/conversation-messages";
import type { Messages } from "../../messages/messages";
import type { Entry, PhaseView } from "@/lib/view/view";
import { anyFacts } from "@/lib/events/error";

/** Phases shorter than this are shown without seconds, ms. */
export const showSecondsAfterMs = 1_000;

/** Formats a duration in whole seconds, at least 1 s. */
export const formatWholeSeconds = (ms: number, messages: Messages): string =>
  messages.figures.duration(Math.max(1, Math.round(ms / 1000)) * 1000);

/** Formats a phase for display beside the model's name. */
export function formatPhaseChip(phase: PhaseView, now: number, messages: ConversationMessages): string {
  const { phaseChip, figures, shell } = messages;
  const ms = Math.max(0, now - phase.sinceMs);
  const seconds = ms < showSecondsAfterMs ? "" : formatWholeSeconds(ms, messages);
  const time = seconds === "" ? "" : ` ${seconds}`;
  switch (phase.phase) {
    case "queued":
      if (phase.position !== undefined) return phaseChip.position(phase.position);
      return phase.ahead === undefined || phase.ahead === 0 ? shell.phase.queued : phaseChip.queued(phase.ahead);
    case "reading":
      return phase.tokens === undefined
        ? shell.phase.reading + time
        : phaseChip.reading(figures.tokens(phase.tokens)) + (seconds === "" ? "" : ` · ${seconds}`);
    case "calling":
      return (phase.name === undefined ? shell.phase.calling : phaseChip.calling(phase.name)) + time;
    case "writing":
      return shell.phase.writing;
    case "loading":
    case "thinking":
      return shell.phase[phase.phase] + time;
  }
}

/** Formats a pending retry: time until it starts, and attempt number or, if the server requested the wait, place in its queue. */
export function formatRetryChip(
  { at, delayMs, attempt, of, error }: Extract<Entry, { kind: "retry" }>,
  now: number,
  { phaseChip, figures, shell }: ConversationMessages,
): string {
  const leftMs = at + delayMs - now;
  const left = figures.duration(Math.ceil(leftMs / 1000) * 1000);
  const { waitMs, position } = anyFacts(error);
  if (waitMs !== undefined && leftMs > 0)
    return `${position === undefined ? shell.phase.queued : phaseChip.position(position)} · ${left}`;
  return leftMs <= 0 ? phaseChip.retryingNow(attempt, of) : phaseChip.retrying(attempt, of, left);
}
