/** Long computations (lib/steps) beside other work. */
import type { Steps } from "@/lib/steps";

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
