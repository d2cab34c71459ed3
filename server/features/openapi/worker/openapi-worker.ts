/** Program of a worker thread: makes lines of the text of one document, the API first, then an operation each. */
import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod/mini";
import { parseDocument } from "../document/parse-document";
import { readOperations } from "../operations/read-operations";

const inputSchema = z.object({ bytes: z.instanceof(Uint8Array), base: z.nullable(z.string()) });

const { bytes, base } = inputSchema.parse(workerData);
const parsed = parseDocument(new TextDecoder().decode(bytes));
if (!parsed.ok) parentPort?.postMessage({ problem: parsed.error });
else {
  const { head, operations } = readOperations(parsed.value, base);
  if (operations.length === 0 && head.operations === 0)
    parentPort?.postMessage({ problem: { reason: "no_operations" } });
  else {
    const lines = [head, ...operations].map((one) => `${JSON.stringify(one)}\n`).join("");
    const written = new TextEncoder().encode(lines);
    // Given away, not copied: a copy of megabytes would hold the server.
    parentPort?.postMessage({ lines: written }, [written.buffer]);
  }
}
