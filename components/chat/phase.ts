/** What the model server does, in words, for the line in the conversation; the few for the status bar stand in phase-chip.ts. Pure. */
import type { Words } from "@/components/words/words";
import { limits } from "@/lib/settings";
import type { PhaseView } from "@/lib/view";
import { tellAfterMs, wholeSeconds } from "./phase-chip";

export interface PhaseTelling {
  readonly text: string;
  /** How long it has been going on and may go on; "" = too short to tell. */
  readonly time: string;
  /** What the user may do about it. */
  readonly offer: "runFirst" | "answerNow" | null;
  /** How long nothing has been heard, when that is worth a sentence, ms. */
  readonly quietMs: number | null;
}

export interface PhaseClock {
  /** ms epoch */
  readonly now: number;
  /** When anything of this session was last heard, ms epoch. */
  readonly newsAt: number;
}

/** Thinking shorter than this is not worth ending, ms. */
const answerNowAfterMs = 3_000;
/** With fewer before it, being first changes nothing: one of them has its answer being written. */
const runFirstFrom = 2;

export function tellPhase(phase: PhaseView, { now, newsAt }: PhaseClock, words: Words): PhaseTelling {
  const ms = Math.max(0, now - phase.sinceMs);
  return {
    text: textOf(phase, words),
    time: timeOf(phase, ms, words),
    offer: offerOf(phase, ms),
    quietMs: quietOf(phase, ms, now - newsAt),
  };
}

function textOf(phase: PhaseView, words: Words): string {
  const { chat, figures } = words;
  const { tokens, ahead = 0, name = "", perSecond } = phase;
  switch (phase.phase) {
    case "queued":
      return ahead === 0 ? chat.phase.queued : chat.waitingBehind(ahead);
    case "loading":
      return chat.phase.loading;
    case "reading":
      return tokens === undefined ? chat.phase.reading : chat.readingTokens(figures.tokens(tokens));
    case "thinking":
      return tokens === undefined ? chat.phase.thinking : chat.thinkingTokens(figures.tokens(tokens));
    case "writing":
      return perSecond === undefined ? chat.phase.writing : chat.writingAt(figures.speed(perSecond));
    case "calling":
      return name === "" ? chat.phase.calling : chat.preparing(name);
  }
}

/** "4 s of about 9 s"; for what is expected to take no time, just the seconds. */
function timeOf({ expectMs = 0 }: PhaseView, ms: number, words: Words): string {
  const { chat } = words;
  const expected = expectMs < tellAfterMs ? "" : wholeSeconds(expectMs, words);
  if (ms < tellAfterMs) return expected === "" ? "" : chat.about(expected);
  const elapsed = wholeSeconds(ms, words);
  if (expected === "") return elapsed;
  return ms <= expectMs ? chat.ofAbout(elapsed, expected) : chat.overAbout(elapsed, expected);
}

function offerOf(phase: PhaseView, ms: number): PhaseTelling["offer"] {
  if (phase.phase === "queued" && (phase.ahead ?? 0) >= runFirstFrom) return "runFirst";
  return phase.phase === "thinking" && ms >= answerNowAfterMs ? "answerNow" : null;
}

/** Waiting for others is silent by nature; what is expected to take long may be silent for that long. */
function quietOf(phase: PhaseView, ms: number, silentMs: number): number | null {
  if (phase.phase === "queued") return null;
  const isLate = ms >= (phase.expectMs ?? 0) + limits.stallNoticeMs;
  return isLate && silentMs >= limits.stallNoticeMs ? silentMs : null;
}
