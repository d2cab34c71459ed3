/** Phase events of an open answer: changes are emitted at once, figures a few times a second. */
import type { LiveEvent, Phase } from "@/lib/events/event";
import type { AgentHost } from "../host";

/** Interval between two updates of a phase's figures. */
const updateIntervalMs = 250;
/** A speed over a shorter time is noise. */
const measurableMinMs = 200;
/**
 * Silence after text counts as a call being written if it lasts `silenceMinMs` and `silencePauseFactor` times the pause between
 * two tokens.
 */
const silenceMinMs = 2_000;
const silencePauseFactor = 8;

/** Figures of a phase reported by the server or the queue. */
export type PhaseFacts = Pick<
  Extract<LiveEvent, { type: "phase" }>,
  "tokens" | "read" | "ahead" | "position" | "expectMs"
>;

interface PhaseOptions {
  /** The server sends a call in one piece once it is complete (Ollama), so a long call is a long silence. */
  readonly callsArriveWhole: boolean;
}

export interface Phases {
  set(next: Phase, facts: PhaseFacts): void;
  /**
   * Counts pieces of this kind: local servers send about one token per piece. `name` = the tool of the call in
   * progress.
   */
  count(next: Phase, name?: string, pieces?: number): void;
  /** Stops the timer. */
  end(): void;
}

interface PhaseState {
  readonly phase: Phase;
  /** ms epoch */
  readonly sinceMs: number;
  tokens: number;
  facts: Omit<PhaseFacts, "tokens">;
  /** Tool of the call in progress; "" = unknown. */
  tool: string;
  /** Arrival of the last part, ms epoch. */
  countedAt: number;
}

export function makePhases(host: Pick<AgentHost, "now" | "live">, { callsArriveWhole }: PhaseOptions): Phases {
  let state: PhaseState | null = null;
  let emittedAt = 0;
  const begin = (phase: Phase, sinceMs: number): PhaseState => {
    state = { phase, sinceMs, tokens: 0, facts: {}, tool: "", countedAt: sinceMs };
    return state;
  };
  const emit = (emitted: PhaseState, now: number): void => {
    emittedAt = now;
    host.live(toPhaseEvent(emitted, now));
  };
  const silence = makeSilenceTimer(host.now, {
    until: () => (state === null ? null : silenceDeadline(state)),
    reached: () => state !== null && emit(begin("calling", state.countedAt), host.now()),
  });
  return {
    set(phase, { tokens, ...facts }) {
      const now = host.now();
      const current = state?.phase === phase ? state : begin(phase, now);
      current.tokens = tokens ?? current.tokens;
      current.facts = facts;
      emit(current, now);
    },
    count(phase, name = "", pieces = 1) {
      const now = host.now();
      const before = state;
      // Another call starts its own time.
      const another = before !== null && name !== "" && before.tool !== "" && name !== before.tool;
      const current = before?.phase === phase && !another ? before : begin(phase, now);
      const named = name !== "" && name !== current.tool;
      if (named) current.tool = name;
      current.tokens += pieces;
      current.countedAt = now;
      if (current !== before || named || now - emittedAt >= updateIntervalMs) emit(current, now);
      if (callsArriveWhole) silence.begin();
    },
    end: silence.end,
  };
}

function toPhaseEvent({ phase, sinceMs, tokens, facts, tool }: PhaseState, now: number): LiveEvent {
  const tookMs = now - sinceMs;
  const counted = phase === "writing" || phase === "thinking" || phase === "calling";
  return {
    type: "phase",
    phase,
    sinceMs,
    ...facts,
    ...(tokens > 0 ? { tokens } : {}),
    ...(counted && tookMs > measurableMinMs && tokens > 1
      ? { perSecond: Math.round((tokens * 10_000) / tookMs) / 10 }
      : {}),
    ...(phase === "calling" && tool !== "" ? { name: tool } : {}),
  };
}

/** Time at which silence becomes significant, ms epoch; null = never in this phase. */
function silenceDeadline({ phase, sinceMs, tokens, countedAt }: PhaseState): number | null {
  if (phase !== "writing" && phase !== "thinking") return null;
  const pauseMs = tokens > 1 ? (countedAt - sinceMs) / (tokens - 1) : 0;
  return countedAt + Math.max(silenceMinMs, pauseMs * silencePauseFactor);
}

/**
 * One timer for a whole stream. `until` returns the time at which silence ends the phase, ms epoch; null = not
 * applicable.
 */
function makeSilenceTimer(
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
      if (timer === null) start(silenceMinMs);
    },
    end(): void {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
