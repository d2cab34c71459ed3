/** The only place that retries: with a limit, a growing pause and a visible event. */
import { type AgentError, withFacts } from "@/lib/events/error";
import type { MessageId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { pause } from "@/server/base/abort";
import type { AnswerEnd } from "./receive-answer";
import type { AgentHost } from "../host";

type FailedAnswer = Extract<AnswerEnd, { kind: "failed" }>;

/** 1, 2, 4 s …, or the delay requested by the server; at most `retryMaxMs`. */
export const retryDelayMs = (attempt: number, askedMs?: number): number =>
  Math.min(serverLimits.retryMaxMs, askedMs ?? serverLimits.retryBaseMs * 2 ** (attempt - 1));

/** Waits that servers requested for one answer. They are no failures of a server. */
export interface RequestedWaits {
  readonly count: number;
  readonly totalMs: number;
}
export const noRequestedWaits: RequestedWaits = { count: 0, totalMs: 0 };

/** Longest sum of the waits for one answer. */
const allWaitsMaxMs = 3_600_000;
/** Each wait for an answer is a second longer at least than the one before, up to this. */
const repeatedWaitMs = 30_000;

/**
 * Returns how long to wait for a server that names a time, and the sum with this wait. null = it names none, or less than a
 * second; "over" = too long to wait for.
 */
export function nextRequestedWait(
  askedMs: number | undefined,
  { count, totalMs }: RequestedWaits,
): { readonly delayMs: number; readonly waits: RequestedWaits } | "over" | null {
  if (askedMs === undefined || askedMs < serverLimits.retryBaseMs) return null;
  const delayMs = Math.max(askedMs, Math.min((count + 1) * serverLimits.retryBaseMs, repeatedWaitMs));
  const waits = { count: count + 1, totalMs: totalMs + delayMs };
  return delayMs > serverLimits.requestedWaitMaxMs || waits.totalMs > allWaitsMaxMs ? "over" : { delayMs, waits };
}

/** The error of a run that does not wait as long as the server requested. `retryAt` in its facts: ms epoch. */
export const waitTooLong = ({ error, retryAfterMs = 0 }: FailedAnswer, now: number): AgentError => ({
  ...error,
  code: "server_busy",
  facts: { ...error.facts, retryAt: now + retryAfterMs },
});

/** Records a retry of a changed request: without a pause and only once. */
export const recordImmediateRetry = (host: AgentHost, messageId: MessageId, error: AgentError): void =>
  host.commit([{ type: "retry", messageId, attempt: 1, of: 1, delayMs: 0, error }]);

/** Records the retry and waits; false = the signal fired in the meantime. `waitMs` in the facts: requested by the server. */
export async function pauseBeforeRetry(
  host: AgentHost,
  failed: FailedAnswer,
  attempt: number,
  signal: AbortSignal,
  requestedMs?: number,
): Promise<boolean> {
  const delayMs = requestedMs ?? retryDelayMs(attempt, failed.retryAfterMs);
  const error = requestedMs === undefined ? failed.error : withFacts(failed.error, { waitMs: requestedMs });
  host.commit([{ type: "retry", messageId: failed.messageId, attempt, of: host.settings().retries, delayMs, error }]);
  return pause(delayMs, signal);
}
