/** Runs the program of a worker thread and measures it, the start of the thread included. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { pauseFor } from "../bench";

interface ThreadFigures<T> {
  /** Its first message. */
  readonly message: T;
  readonly tookMs: number;
  /** Longest delay of the event loop that waited for it. */
  readonly longestMs: number;
}

/** Rejects if it ends without a message. */
export async function measureThread<T>(program: URL, workerData: unknown): Promise<ThreadFigures<T>> {
  const settleMs = 100;
  await pauseFor(settleMs);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const at = performance.now();
  const worker = new Worker(program, { workerData, env: {} });
  try {
    const message = await new Promise<T>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the worker gave no result")));
    });
    const tookMs = performance.now() - at;
    delays.disable();
    return { message, tookMs, longestMs: delays.max / 1e6 };
  } finally {
    await worker.terminate();
  }
}
