/** Long computations (lib/steps) beside other work. */
import type { Steps } from "@/lib/steps";

/** Steps that run before others get their turn, ms. */
const turnMs = 10;

/** The turn that some work has now. */
export interface Turn {
  /** It has run long enough. */
  isOver(): boolean;
  /** Resolves when others had theirs. */
  next(): Promise<void>;
}

export function beginTurn(): Turn {
  let began = performance.now();
  return {
    isOver: () => performance.now() - began >= turnMs,
    async next() {
      await new Promise((resolve) => setImmediate(resolve));
      began = performance.now();
    },
  };
}

/** Runs the steps and lets the event loop go on between them. Rejects with the signal's reason. */
export async function finishInTurns<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
  const turn = beginTurn();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (!turn.isOver()) continue;
    await turn.next();
    signal.throwIfAborted();
  }
}
