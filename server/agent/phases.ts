/** The phase line of an open answer: a change is told at once, its figures a few times a second. Used by open-message. */
import type { Phase } from "@/lib/event";
import type { AgentHost } from "./host";

/** How often a figure of the phase may change on screen. */
const everyMs = 250;
/** A speed over less than this is noise. */
const measurableMs = 200;

export interface Phases {
  /** `tokens` when the server knows them. */
  set(next: Phase, tokens?: number): void;
  /** One more part of this kind: local servers send about a token a part. */
  count(next: Phase): void;
}

export function makePhases(host: Pick<AgentHost, "now" | "live">): Phases {
  let phase: Phase | null = null;
  let sinceMs = 0;
  let tokens = 0;
  let toldAt = 0;

  const tell = (now: number): void => {
    if (phase === null) return;
    const tookMs = now - sinceMs;
    const counted = phase === "writing" || phase === "thinking" || phase === "calling";
    toldAt = now;
    host.live({
      type: "phase",
      phase,
      sinceMs,
      ...(tokens > 0 ? { tokens } : {}),
      ...(counted && tookMs > measurableMs && tokens > 1
        ? { perSecond: Math.round((tokens * 10_000) / tookMs) / 10 }
        : {}),
    });
  };
  const set = (next: Phase, known?: number): void => {
    const now = host.now();
    if (next !== phase) {
      phase = next;
      sinceMs = now;
      tokens = 0;
    }
    tokens = known ?? tokens;
    tell(now);
  };
  return {
    set,
    count(next) {
      if (next !== phase) return set(next, 1);
      tokens += 1;
      const now = host.now();
      if (now - toldAt >= everyMs) tell(now);
    },
  };
}
