/** Runs the page worker for one answer: in a thread of its own, which is ended after a time, so that no page holds the server. */
import * as z from "zod/mini";
import { abortable } from "@/server/base/abort";
import { makeSlots } from "@/server/base/concurrency";
import { runWorker } from "@/server/base/run-worker";
import type { WebText } from "./read-text";

export interface PageWorkerInput {
  readonly bytes: Uint8Array;
  /** Value of Content-Type. */
  readonly type: string;
  readonly url: string;
}

/** failed = the page exceeds the time, the memory or the depth that a worker has. */
export type PageWorkerResult =
  | { readonly kind: "text"; readonly text: WebText }
  | { readonly kind: "no_text" }
  | { readonly kind: "failed" };

interface PageWorkerOptions {
  readonly program: URL;
  readonly timeoutMs: number;
}

const resourceLimits = { maxOldGenerationSizeMb: 384, stackSizeMb: 8 };
const resultSchema = z.nullable(z.object({ title: z.string(), text: z.string() }));

export const pageWorkerOptions: PageWorkerOptions = {
  program: new URL("./page-worker.js", import.meta.url),
  timeoutMs: 10_000,
};

/** Workers that run at once: each may need much memory, and a message may have many calls. */
const workersAtOnce = 2;

/** Returns a function that runs the worker, for a few answers at once. It rejects only with the signal's reason. */
export function makePageReader(
  options: PageWorkerOptions,
): (input: PageWorkerInput, signal: AbortSignal) => Promise<PageWorkerResult> {
  const slots = makeSlots(workersAtOnce);
  return (input, signal) =>
    abortable(
      slots(() => runPageWorker(options, input, signal)),
      signal,
    );
}

/** Rejects only with the signal's reason. The worker has ended when the promise settles. */
export async function runPageWorker(
  options: PageWorkerOptions,
  input: PageWorkerInput,
  signal: AbortSignal,
): Promise<PageWorkerResult> {
  const read = resultSchema.safeParse(await runWorker({ ...options, resourceLimits }, input, signal));
  if (!read.success) return { kind: "failed" };
  return read.data === null ? { kind: "no_text" } : { kind: "text", text: read.data };
}
