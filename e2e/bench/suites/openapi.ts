/**
 * A large OpenAPI document: how long the built worker reads it, next to `JSON.parse` of the same text in a thread, and the
 * longest task of the server while it adds the document.
 */
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Bench, pauseFor, root } from "../bench";
import { type BenchRow, formatMs, formatRatio, median } from "../bench-row";
import { apiOperations, makeLargeApi } from "../data/make-api";
import { startProduct } from "../server/bench-product";
import { makeLoopProbe } from "../server/loop-probe";
import { measureThread } from "../server/measure-thread";

const loopBudgetMs = 50;
const idleMs = 2_000;
const builtWorker = pathToFileURL(join(root, "dist/server/openapi-worker.js"));
const bareWorker = new URL("../data/bare-json.mjs", import.meta.url);

export async function openapi(bench: Bench): Promise<readonly BenchRow[]> {
  const bytes = new TextEncoder().encode(makeLargeApi());
  return [await indexRow(bench, bytes), await addRow(bench, bytes)];
}

async function indexRow(bench: Bench, bytes: Uint8Array): Promise<BenchRow> {
  const [index, parse, thread]: [number[], number[], number[]] = [[], [], []];
  let longestMs = 0;
  for (let round = 0; round < (bench.quick ? 3 : 7); round += 1) {
    const bare = await measureThread<{ readonly parseMs: number }>(bareWorker, { bytes });
    parse.push(bare.message.parseMs);
    thread.push(bare.tookMs);
    const ours = await measureThread<{ readonly lines: Uint8Array }>(builtWorker, { bytes, base: null });
    index.push(ours.tookMs);
    longestMs = Math.max(longestMs, ours.longestMs);
    const lines = ours.message.lines.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0);
    if (lines !== apiOperations + 1) throw new Error(`${lines - 1} of ${apiOperations} operations`);
  }
  const ratio = median(index) / median(parse);
  return {
    id: "openapi-index",
    what: `index of an OpenAPI document of ${(bytes.length / 1e6).toFixed(1)} MB with ${apiOperations} operations, in its thread`,
    measured: `${formatMs(median(index))}, ${formatRatio(ratio)}`,
    yardstick: `JSON.parse of its text ${formatMs(median(parse))}, with the start of a thread ${formatMs(median(thread))}`,
    budget: "≤ 2 ×",
    met: ratio <= 2,
    figures: { medianMs: median(index), parseMs: median(parse), parseThreadMs: median(thread), ratio, longestMs },
  };
}

/** The server fetches the document from an address of this machine. */
async function addRow(bench: Bench, bytes: Uint8Array): Promise<BenchRow> {
  const { environment, longestTask } = makeLoopProbe(bench);
  const documents = createServer((_request, response) => response.end(bytes));
  await new Promise<void>((resolve) => documents.listen(0, "127.0.0.1", resolve));
  const address = documents.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const place = { home: bench.folder("home"), project: bench.folder("project"), modelUrl: "http://127.0.0.1:9" };
  const product = await startProduct(bench, { ...place, environment });
  try {
    await product.call("openapi.state", {});
    await pauseFor(idleMs);
    await longestTask(product);
    await pauseFor(idleMs);
    const quietMs = await longestTask(product);
    const longest: number[] = [];
    const took: number[] = [];
    for (let round = 0; round < (bench.quick ? 2 : 5); round += 1) {
      const at = performance.now();
      const { id, counts } = await product.call("openapi.add", { url: `http://127.0.0.1:${port}/api.json` });
      took.push(performance.now() - at);
      longest.push(await longestTask(product));
      if (counts.tools !== apiOperations) throw new Error(`${counts.tools} of ${apiOperations} operations`);
      await product.call("openapi.remove", { api: id });
      await longestTask(product);
    }
    return {
      id: "openapi-add-loop",
      what: "longest task of the server: it fetches this document and makes tools of it",
      measured: `${formatMs(median(longest))}, all of it ${formatMs(median(took))}`,
      yardstick: `the same server idle ${formatMs(quietMs)}`,
      budget: `≤ ${loopBudgetMs} ms`,
      met: median(longest) <= loopBudgetMs,
      figures: { longestMs: median(longest), mostMs: Math.max(...longest), tookMs: median(took), quietMs },
    };
  } finally {
    await product.end();
    await new Promise((resolve) => documents.close(resolve));
  }
}
