/** Runs long computations (lib/async/steps) in time slices, so that the event loop is not blocked. */
import type { Steps } from "@/lib/async/steps";

/** Duration of a time slice, ms. */
const timeSliceMs = 10;

/** The current time slice of a computation. */
interface TimeSlice {
  /** True after `timeSliceMs`. */
  isOver(): boolean;
  /** Lets the event loop run, then starts the next slice. */
  next(): Promise<void>;
}

export function beginTimeSlice(): TimeSlice {
  let began = performance.now();
  return {
    isOver: () => performance.now() - began >= timeSliceMs,
    async next() {
      await new Promise((resolve) => setImmediate(resolve));
      began = performance.now();
    },
  };
}

/**
 * Runs all steps, yielding to the event loop after each time slice; the caller continues in a slice of its own. Rejects with the
 * signal's reason.
 */
export async function runStepsInSlices<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
  const turn = beginTimeSlice();
  for (;;) {
    const step = steps.next();
    if (turn.isOver()) {
      await turn.next();
      signal.throwIfAborted();
    }
    if (step.done === true) return step.value;
  }
}
