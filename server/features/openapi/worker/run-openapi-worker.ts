/** Has the worker read a document, one at a time, and takes its operations in slices of time. */
import * as z from "zod/mini";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ErrorFacts } from "@/lib/events/error-facts";
import { abortable } from "@/server/base/abort";
import { makeSlots } from "@/server/base/concurrency";
import { runWorker, type WorkerProgram } from "@/server/base/run-worker";
import { problemReasons } from "../document/document-problem";

const messageSchema = z.union([
  z.object({ lines: z.instanceof(Uint8Array) }),
  z.object({
    problem: z.object({
      reason: z.enum(problemReasons),
      line: z.optional(z.number()),
      column: z.optional(z.number()),
      version: z.optional(z.string()),
    }),
  }),
]);

export const openApiWorker: WorkerProgram = {
  program: new URL("./openapi-worker.js", import.meta.url),
  timeoutMs: 60_000,
  // YAML of 20 MB as a tree.
  resourceLimits: { maxOldGenerationSizeMb: 1_536, stackSizeMb: 8 },
};

/**
 * Returns the lines of a document: the API, then an operation each. `base` = where it was read from. Fails with bad_input
 * and the facts of `DocumentProblem`, or with `reason` "too_complex". Rejects only with the signal's reason.
 */
export type ReadDocument = (bytes: Uint8Array, base: string | null, signal: AbortSignal) => Promise<Result<Uint8Array>>;

export function makeDocumentReader(program: WorkerProgram): ReadDocument {
  // Each may need much memory.
  const slots = makeSlots(1);
  return async (bytes, base, signal) => {
    const run = slots(() => runWorker(program, { bytes, base }, signal));
    const message = messageSchema.safeParse(await abortable(run, signal));
    if (!message.success) return badDocument({ reason: "too_complex" });
    return "lines" in message.data ? ok(message.data.lines) : badDocument(message.data.problem);
  };
}

const badDocument = (facts: ErrorFacts["bad_input"]) => fail("bad_input", undefined, facts);
