/** Who waits for the answer to which approval. The answer itself is in the log before the waiter wakes. */
import type { ApprovalId } from "@/lib/id";

export interface Waiters {
  /** Rejects with the signal's reason and leaves no listener behind. */
  wait(id: ApprovalId, signal: AbortSignal): Promise<void>;
  answered(id: ApprovalId): void;
}

export function makeWaiters(): Waiters {
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
