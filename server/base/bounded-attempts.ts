/**
 * Waits a limited time for work that is repeated before each message and may hang, such as reading a folder of a network
 * that does not answer. The limit is paid once: while the attempt that exceeded it still runs, later ones are skipped.
 */
import { abortable, neverAborted, timeLimit } from "./abort";

/** skipped = an earlier attempt has not ended. */
type BoundedAttempt<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "skipped" };

/** Whether the work did not end in time, now or before. */
export const isLate = (attempt: BoundedAttempt<unknown>): boolean =>
  attempt.kind === "skipped" ||
  (attempt.kind === "failed" && attempt.error instanceof DOMException && attempt.error.name === "TimeoutError");

/**
 * Runs `work` and waits for it at most as long as the limit; after that it runs on in the background. `key` names what
 * is attempted. Attempts of one key that are in time do not wait for one another. Never rejects.
 */
type RunBounded = <T>(key: string, work: (signal: AbortSignal) => Promise<T>) => Promise<BoundedAttempt<T>>;

/** The signal of the work never fires: aborted work that hangs would look as if it had ended, and be tried again. */
export function makeBoundedAttempts(limitMs: number): RunBounded {
  const late = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    if (late.has(key)) return { kind: "skipped" };
    const limit = timeLimit(limitMs);
    let attempt;
    try {
      attempt = work(neverAborted);
      return { kind: "done", value: await abortable(attempt, limit) };
    } catch (error) {
      if (limit.aborted && attempt !== undefined && !late.has(key)) {
        late.set(key, attempt);
        const forget = (): void => void late.delete(key);
        attempt.then(forget, forget);
      }
      return { kind: "failed", error };
    }
  };
}
