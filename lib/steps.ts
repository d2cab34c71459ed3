/** Long computations in short steps: a generator that pauses now and then. Finished at once here, beside other work in server/base/steps. */

/** Yields wherever it may be interrupted; returns its result. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
