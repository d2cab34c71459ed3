// Parses the JSON in workerData, and posts how long that took, ms.
import { parentPort, workerData } from "node:worker_threads";

const text = new TextDecoder().decode(workerData.bytes);
const at = performance.now();
const { paths } = JSON.parse(text);
parentPort.postMessage({ parseMs: performance.now() - at, paths: Object.keys(paths).length });
