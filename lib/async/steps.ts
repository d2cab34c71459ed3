/** Long computations as generators that yield regularly, so that they can run in slices. */

/** Yields wherever the computation may be suspended; returns its result. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps synchronously. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
