/** Program of a worker thread: makes text of the bytes of one answer. */
import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod/mini";
import { readText } from "./read-text";

const inputSchema = z.object({ bytes: z.instanceof(Uint8Array), type: z.string(), url: z.string() });

const { bytes, type, url } = inputSchema.parse(workerData);
parentPort?.postMessage(readText(bytes, type, url));
