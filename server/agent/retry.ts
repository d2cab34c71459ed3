/** The one place that retries: with a limit, a growing pause and a visible event. */
import type { AgentError } from "@/lib/error";
import type { MessageId } from "@/lib/id";
import { limits } from "@/lib/settings";
import { pause } from "../base/abort";
import type { AnswerEnd } from "./answer";
import type { AgentHost } from "./host";

/** 1, 2, 4 s …, or what the server asked for, never over `retryMaxMs`. */
export const retryDelayMs = (attempt: number, askedMs?: number): number =>
  Math.min(limits.retryMaxMs, askedMs ?? limits.retryBaseMs * 2 ** (attempt - 1));

/** The same question in another way: nothing to wait for, and only once. */
export const retryAtOnce = (host: AgentHost, messageId: MessageId, error: AgentError): void =>
  host.commit([{ type: "retry", messageId, attempt: 1, of: 1, delayMs: 0, error }]);

/** Says so and waits; false when the signal fired meanwhile. */
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
