/** A server with 1,000 automations that are all due when it starts. */
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { type Bench, pollFor } from "../bench";
import { type BenchRow, formatMs } from "../bench-row";
import { seedAutomations } from "../data/seed-automations";
import { startProduct } from "../server/bench-product";
import { makeLoopProbe } from "../server/loop-probe";

const count = 1_000;
const budgetMs = 50;
const limitMs = 60_000;

export async function automations(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const { environment, longestTask } = makeLoopProbe(bench);
  const place = { project: bench.folder("project"), modelUrl: model.url, environment };
  const [emptyHome, home] = [bench.folder("home"), bench.folder("home")];
  await seedAutomations(home, place.project, count);
  try {
    const empty = await startProduct(bench, { ...place, home: emptyHome });
    const emptyMs = await longestTask(empty);
    await empty.end();
    const product = await startProduct(bench, { ...place, home });
    await pollFor("the first run", limitMs, async () => {
      const { automations: list } = await product.call("automations.list", {});
      return list.some(({ runs }) => runs.length > 0) || undefined;
    });
    const longestMs = await longestTask(product);
    await product.end();
    return [automationsRow(longestMs, emptyMs)];
  } finally {
    await model.close();
  }
}

const automationsRow = (longestMs: number, emptyMs: number): BenchRow => ({
  id: "automations-loop",
  what: `longest task of the server: start with ${count} automations due at once`,
  measured: formatMs(longestMs),
  yardstick: `the start without them ${formatMs(emptyMs)}`,
  budget: `≤ ${budgetMs} ms`,
  met: longestMs <= budgetMs,
  figures: { longestMs, emptyMs, count },
});
