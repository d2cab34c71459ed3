/** 1,000 automations that are due at once. */
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { type Bench, pauseFor } from "../bench";
import { type BenchRow, formatMs } from "../bench-row";
import { seedAutomations } from "../data/seed-automations";
import { chatRequests } from "../server/chat-requests";
import { startProduct } from "../server/bench-product";
import { makeLoopProbe } from "../server/loop-probe";

const count = 1_000;
const budgetMs = 50;
/** From the start of the server until its loop is quiet. */
const settleMs = 5_000;
const quietMs = 1_000;

export async function automations(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const { environment, longestTask } = makeLoopProbe(bench);
  const place = { project: bench.folder("project"), modelUrl: model.url, environment };
  const home = bench.folder("home");
  await seedAutomations(home, place.project, count);
  const product = await startProduct(bench, { ...place, home });
  try {
    await pauseFor(settleMs);
    await longestTask(product);
    await pauseFor(quietMs);
    const idleMs = await longestTask(product);
    await model.waitFor((requests) => chatRequests(requests).length > 0);
    return [automationsRow(await longestTask(product), idleMs)];
  } finally {
    await product.end();
    await model.close();
  }
}

const automationsRow = (longestMs: number, idleMs: number): BenchRow => ({
  id: "automations-loop",
  what: `longest task of the server: ${count} automations are due at once, and the first runs`,
  measured: formatMs(longestMs),
  yardstick: `the same server idle ${formatMs(idleMs)}`,
  budget: `≤ ${budgetMs} ms`,
  met: longestMs <= budgetMs,
  figures: { longestMs, idleMs, count },
});
