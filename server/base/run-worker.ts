/** Runs the program of a worker thread for one input: in a thread of its own, which is ended after a time. */
import { type ResourceLimits, Worker } from "node:worker_threads";
import { timeLimit } from "./abort";

export interface WorkerProgram {
  readonly program: URL;
  readonly timeoutMs: number;
  readonly resourceLimits: ResourceLimits;
}

/**
 * Resolves with its first message; undefined = it exceeded its time or memory, or failed. Rejects only with the signal's
 * reason. The worker has ended when the promise settles. The buffers of `transfer` are given away, not copied: a copy of
 * megabytes holds the event loop.
 */
export async function runWorker(
  { program, timeoutMs, resourceLimits }: WorkerProgram,
  input: unknown,
  signal: AbortSignal,
  transfer: readonly ArrayBuffer[] = [],
): Promise<unknown> {
  signal.throwIfAborted();
  const limit = timeLimit(timeoutMs, signal);
  // It needs nothing of the environment, and what it prints belongs to no log.
  const options = { workerData: input, transferList: [...transfer], env: {}, stdout: true, stderr: true };
  const worker = new Worker(program, { ...options, resourceLimits });
  try {
    const message = await receive(worker, limit);
    signal.throwIfAborted();
    return message;
  } finally {
    await worker.terminate();
  }
}

function receive(worker: Worker, limit: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const fail = (): void => resolve(undefined);
    limit.addEventListener("abort", fail, { once: true });
    worker.once("error", fail);
    worker.once("exit", fail);
    worker.once("message", resolve);
  });
}
