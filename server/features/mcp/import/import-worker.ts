/** Program of a worker thread: reads a large configuration of another program and returns only what describes servers. */
import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod/mini";
import { selectImported } from "../config/import-servers";
import { parseJsonWithComments } from "../config/json-with-comments";

const parsed = parseJsonWithComments(new TextDecoder().decode(z.instanceof(Uint8Array).parse(workerData)));
parentPort?.postMessage(parsed.ok ? { part: JSON.stringify(selectImported(parsed.value)) } : { problem: parsed.error });
