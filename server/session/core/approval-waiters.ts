/** Waiters for approval answers. The answer itself is in the log before the waiter resumes. */
import type { ApprovalId } from "@/lib/events/id";

export interface ApprovalWaiters {
  /** Resolves after `answered`. Rejects with the signal's reason and removes its listener. */
  wait(id: ApprovalId, signal: AbortSignal): Promise<void>;
  answered(id: ApprovalId): void;
}

export function makeApprovalWaiters(): ApprovalWaiters {
  const waiting = new Map<ApprovalId, () => void>();
  return {
    wait: (id, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const stop = (): void => {
          waiting.delete(id);
          reject(signal.reason);
        };
        signal.addEventListener("abort", stop, { once: true });
        waiting.set(id, () => {
          waiting.delete(id);
          signal.removeEventListener("abort", stop);
          resolve();
        });
      }),
    answered: (id) => waiting.get(id)?.(),
  };
}
