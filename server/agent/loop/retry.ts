/** The only place that retries: with a limit, a growing pause and a visible event. */
import type { AgentError } from "@/lib/events/error";
import type { MessageId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { pause } from "@/server/base/abort";
import type { AnswerEnd } from "./receive-answer";
import type { AgentHost } from "../host";

/** 1, 2, 4 s …, or the delay requested by the server; at most `retryMaxMs`. */
export const retryDelayMs = (attempt: number, askedMs?: number): number =>
  Math.min(serverLimits.retryMaxMs, askedMs ?? serverLimits.retryBaseMs * 2 ** (attempt - 1));

/** Records a retry of a changed request: without a pause and only once. */
export const recordImmediateRetry = (host: AgentHost, messageId: MessageId, error: AgentError): void =>
  host.commit([{ type: "retry", messageId, attempt: 1, of: 1, delayMs: 0, error }]);

/** Records the retry and waits; false = the signal fired in the meantime. */
export async function pauseBeforeRetry(
  host: AgentHost,
  failed: Extract<AnswerEnd, { kind: "failed" }>,
  attempt: number,
  signal: AbortSignal,
): Promise<boolean> {
  const delayMs = retryDelayMs(attempt, failed.retryAfterMs);
  host.commit([
    { type: "retry", messageId: failed.messageId, attempt, of: host.settings().retries, delayMs, error: failed.error },
  ]);
  return pause(delayMs, signal);
}
