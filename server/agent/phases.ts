/** The phase line of an open answer: a change is told at once, its figures a few times a second. Used by open-message. */
import type { LiveEvent, Phase } from "@/lib/event";
import type { AgentHost } from "./host";

/** How often a figure of the phase may change on screen. */
const everyMs = 250;
/** A speed over less than this is noise. */
const measurableMs = 200;

/** What is known of a phase that the server or the queue told of. */
export type PhaseFacts = Pick<Extract<LiveEvent, { type: "phase" }>, "tokens" | "ahead" | "expectMs">;

export interface Phases {
  set(next: Phase, facts: PhaseFacts): void;
  /** One more part of this kind: local servers send about a token a part. `name` = the tool whose call is being written. */
  count(next: Phase, name?: string): void;
}

export function makePhases(host: Pick<AgentHost, "now" | "live">): Phases {
  let phase: Phase | null = null;
  let sinceMs = 0;
  let tokens = 0;
  let facts: PhaseFacts = {};
  let tool = "";
  let toldAt = 0;

  const tell = (now: number): void => {
    if (phase === null) return;
    const tookMs = now - sinceMs;
    const counted = isCounted(phase);
    toldAt = now;
    host.live({
      type: "phase",
      phase,
      sinceMs,
      ...facts,
      ...(tokens > 0 ? { tokens } : {}),
      ...(counted && tookMs > measurableMs && tokens > 1
        ? { perSecond: Math.round((tokens * 10_000) / tookMs) / 10 }
        : {}),
      ...(phase === "calling" && tool !== "" ? { name: tool } : {}),
    });
  };
  const begin = (next: Phase, now: number): void => {
    phase = next;
    sinceMs = now;
    tokens = 0;
    facts = {};
    tool = "";
  };
  const count = (next: Phase, name?: string): void => {
    const now = host.now();
    const isNew = next !== phase;
    // Another call begins: its time is its own.
    const another = name !== undefined && tool !== "" && name !== tool;
    if (isNew || another) begin(next, now);
    const named = name !== undefined && name !== "" && name !== tool;
    if (named) tool = name;
    tokens += 1;
    if (isNew || another || named || now - toldAt >= everyMs) tell(now);
  };
  return {
    count,
    set(next, { tokens: known, ...rest }) {
      const now = host.now();
      if (next !== phase) begin(next, now);
      tokens = known ?? tokens;
      facts = rest;
      tell(now);
    },
  };
}

const isCounted = (phase: Phase): boolean => phase === "writing" || phase === "thinking" || phase === "calling";
