/** The one place that retries: with a limit, a growing pause and a visible event. */
import { limits } from "@/lib/settings";
import { pause } from "../base/abort";
import type { AnswerEnd } from "./answer";
import type { AgentHost } from "./host";

/** 1, 2, 4 s …, or what the server asked for, never over `retryMaxMs`. */
export const retryDelayMs = (attempt: number, askedMs?: number): number =>
  Math.min(limits.retryMaxMs, askedMs ?? limits.retryBaseMs * 2 ** (attempt - 1));

/** Says so and waits; false when the signal fired meanwhile. */
export async function pauseBeforeRetry(
  host: AgentHost,
  failed: Extract<AnswerEnd, { kind: "failed" }>,
  attempt: number,
  signal: AbortSignal,
): Promise<boolean> {
  const delayMs = retryDelayMs(attempt, failed.retryAfterMs);
  host.commit([
    { type: "retry", messageId: failed.messageId, attempt, of: limits.retries, delayMs, error: failed.error },
  ]);
  return pause(delayMs, signal);
}
