/** A verb of the command line that asks the running server, beside a bare Node process. */
import { once } from "node:events";
import { join } from "node:path";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { type Bench, root } from "../bench";
import { type BenchRow, formatMs, formatRatio, median } from "../bench-row";
import { startProduct } from "../server/bench-product";

const budget = 2.5;

export async function commandLine(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const home = bench.folder("home");
  const product = await startProduct(bench, { home, project: bench.folder("project"), modelUrl: model.url });
  const status = [join(root, "bin/gopi-web.mjs"), "status", "--json", "--home", home];
  const [statusMs, bareMs]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < (bench.quick ? 5 : 15); round += 1) {
      bareMs.push(await timeToEnd(bench, ["-e", "0"]));
      statusMs.push(await timeToEnd(bench, status));
    }
    return [statusRow(statusMs, bareMs)];
  } finally {
    await product.end();
    await model.close();
  }
}

async function timeToEnd(bench: Bench, args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const child = bench.spawn(args);
  child.stdout?.resume();
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`);
  return performance.now() - startedAt;
}

function statusRow(samples: readonly number[], bare: readonly number[]): BenchRow {
  const ratio = median(samples.map((sample, round) => sample / (bare[round] ?? Number.NaN)));
  return {
    id: "status",
    what: "gopi-web status --json, start to end",
    measured: `${formatMs(median(samples))}, ${formatRatio(ratio)}`,
    yardstick: `node -e 0 ${formatMs(median(bare))}`,
    budget: `≤ ${budget.toFixed(1)} ×`,
    met: ratio <= budget,
    figures: { medianMs: median(samples), bareMedianMs: median(bare), ratio, rounds: samples.length },
  };
}
