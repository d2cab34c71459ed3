/** The phase line of an open answer: a change is told at once, its figures a few times a second. Used by open-message. */
import type { LiveEvent, Phase } from "@/lib/event";
import type { AgentHost } from "./host";

/** How often a figure of the phase may change on screen. */
const everyMs = 250;
/** A speed over less than this is noise. */
const measurableMs = 200;
/** Silence after words is a call being written, when it lasts so long and several times the pause between two tokens. */
const silentMs = 2_000;
const silentPauses = 8;

/** What is known of a phase that the server or the queue told of. */
export type PhaseFacts = Pick<Extract<LiveEvent, { type: "phase" }>, "tokens" | "ahead" | "expectMs">;

export interface PhaseOptions {
  /** The server sends a call in one piece when it is written (Ollama, field D19), so that a long one is a long silence. */
  readonly silentCalls: boolean;
}

export interface Phases {
  set(next: Phase, facts: PhaseFacts): void;
  /** One more part of this kind: local servers send about a token a part. `name` = the tool whose call is being written. */
  count(next: Phase, name?: string): void;
  /** Nothing more comes. */
  end(): void;
}

export function makePhases(host: Pick<AgentHost, "now" | "live">, { silentCalls }: PhaseOptions): Phases {
  let phase: Phase | null = null;
  let sinceMs = 0;
  let tokens = 0;
  let facts: PhaseFacts = {};
  let tool = "";
  let toldAt = 0;
  let countedAt = 0;

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
  const silence = makeSilence(host.now, {
    until() {
      if (phase !== "writing" && phase !== "thinking") return null;
      const pauseMs = tokens > 1 ? (countedAt - sinceMs) / (tokens - 1) : 0;
      return countedAt + Math.max(silentMs, pauseMs * silentPauses);
    },
    reached() {
      begin("calling", countedAt);
      tell(host.now());
    },
  });
  const count = (next: Phase, name?: string): void => {
    const now = host.now();
    countedAt = now;
    if (silentCalls) silence.begin();
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
    end: silence.end,
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

/** One timer for a whole stream: `until` gives the time that silence lasts to, ms epoch, null = it does not matter now. */
function makeSilence(
  now: () => number,
  { until, reached }: { readonly until: () => number | null; readonly reached: () => void },
) {
  let timer: NodeJS.Timeout | null = null;
  const start = (afterMs: number): void => {
    timer = setTimeout(check, afterMs).unref();
  };
  const check = (): void => {
    timer = null;
    const end = until();
    if (end === null) return;
    if (end > now()) start(end - now());
    else reached();
  };
  return {
    begin(): void {
      if (timer === null) start(silentMs);
    },
    end(): void {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
