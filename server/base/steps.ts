/** Long computations in short steps: a generator that pauses now and then, finished at once or beside other work. */

/** Yields wherever it may be interrupted; returns its result. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Steps that run before others get their turn, ms. */
const turnMs = 10;

/** Runs the steps and lets the event loop go on between them. Rejects with the signal's reason. */
export async function finishInTurns<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
  let began = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - began < turnMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    began = performance.now();
  }
}
