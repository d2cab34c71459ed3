/** Formats the model server's phase for the line in the conversation. Pure. */
import type { ConversationMessages } from "../../messages/conversation-messages";
import type { Messages } from "../../messages/messages";
import type { PhaseView } from "@/lib/view/view";
import { showSecondsAfterMs, formatWholeSeconds } from "./phase-chip";

/** Silence of the server after which it is shown, ms. */
const stallNoticeMs = 30_000;

export interface PhaseDescription {
  readonly text: string;
  /** Elapsed and expected duration; "" = too short to show. */
  readonly time: string;
  /** The action offered to the user. */
  readonly offer: "runFirst" | "answerNow" | null;
  /** Time since the last event if long enough to report, ms. */
  readonly silenceMs: number | null;
}

interface PhaseClock {
  /** ms epoch */
  readonly now: number;
  /** Time of the session's last event, ms epoch. */
  readonly lastEventAt: number;
}

/** Minimum thinking time before the answer-now offer, ms. */
const answerNowAfterMs = 3_000;
/** With fewer requests ahead, moving first changes nothing: one of them is already being answered. */
const runFirstFrom = 2;

export function describePhase(
  phase: PhaseView,
  { now, lastEventAt }: PhaseClock,
  messages: ConversationMessages,
): PhaseDescription {
  const ms = Math.max(0, now - phase.sinceMs);
  return {
    text: formatPhase(phase, messages),
    time: formatPhaseTime(phase, ms, messages),
    offer: findPhaseOffer(phase, ms),
    silenceMs: reportableSilence(phase, ms, now - lastEventAt),
  };
}

function formatPhase(phase: PhaseView, messages: ConversationMessages): string {
  const { chat, phaseChip, figures } = messages;
  const { tokens, read, ahead = 0, position, name = "", perSecond } = phase;
  switch (phase.phase) {
    case "queued":
      if (position !== undefined) return phaseChip.positionLine(position);
      return ahead === 0 ? chat.phase.queued : chat.waitingBehind(ahead);
    case "loading":
      return chat.phase.loading;
    case "reading":
      if (tokens === undefined) return chat.phase.reading;
      return read === undefined
        ? chat.readingTokens(figures.tokens(tokens))
        : chat.readingPart(figures.tokens(read), figures.tokens(tokens));
    case "thinking":
      return tokens === undefined ? chat.phase.thinking : chat.thinkingTokens(figures.tokens(tokens));
    case "writing":
      return perSecond === undefined ? chat.phase.writing : chat.writingAt(figures.speed(perSecond));
    case "calling":
      return name === "" ? chat.phase.calling : chat.preparing(name);
  }
}

/** Formats "4 s of about 9 s"; only the elapsed seconds if no duration is expected. */
function formatPhaseTime({ expectMs = 0 }: PhaseView, ms: number, messages: Messages): string {
  const { chat } = messages;
  const expected = expectMs < showSecondsAfterMs ? "" : formatWholeSeconds(expectMs, messages);
  if (ms < showSecondsAfterMs) return expected === "" ? "" : chat.about(expected);
  const elapsed = formatWholeSeconds(ms, messages);
  if (expected === "") return elapsed;
  return ms <= expectMs ? chat.ofAbout(elapsed, expected) : chat.overAbout(elapsed, expected);
}

function findPhaseOffer(phase: PhaseView, ms: number): PhaseDescription["offer"] {
  if (phase.phase === "queued" && (phase.ahead ?? 0) >= runFirstFrom) return "runFirst";
  return phase.phase === "thinking" && ms >= answerNowAfterMs ? "answerNow" : null;
}

/** Queued requests are silent anyway; a phase with an expected duration may be silent for that long. */
function reportableSilence(phase: PhaseView, ms: number, silentMs: number): number | null {
  if (phase.phase === "queued") return null;
  const isLate = ms >= (phase.expectMs ?? 0) + stallNoticeMs;
  return isLate && silentMs >= stallNoticeMs ? silentMs : null;
}
