/**
 * Compares a project of 100,000 files with an empty one: time to ready, memory, and the time until a change shows in
 * the tree.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { type Bench, epochMs, pauseFor } from "../bench";
import { armProbe, launchBrowser, openPage, waitForMark } from "../browser/bench-page";
import { readMemory } from "../server/process-tree";
import { type BenchProduct, startProduct } from "../server/bench-product";
import { formatMegabytes, median, formatMs, unmeasuredRow, percentile, type BenchRow } from "../bench-row";
import { makeTree } from "../data/make-tree";

const largeProjectBudget = { laterMs: 100, moreBytes: 20 * 1_048_576, shownMs: 200 };
const settleMs = 10_000;
const shownLimitMs = 20_000;

export async function largeProject(bench: Bench): Promise<readonly BenchRow[]> {
  const files = bench.quick ? 20_000 : 100_000;
  const [large, empty] = [bench.folder("large"), bench.folder("empty")];
  makeTree(large, { files, lines: 1 });
  const model = await startScriptedModel();
  const homes = { large: bench.folder("home-large"), empty: bench.folder("home-empty") };
  const start = (variant: "large" | "empty"): Promise<BenchProduct> =>
    startProduct(bench, { home: homes[variant], project: variant === "large" ? large : empty, modelUrl: model.url });
  const label = `${files.toLocaleString("en")}-file project`;
  try {
    for (const variant of ["large", "empty"] as const) await (await start(variant)).end();
    const later: number[] = [];
    for (let round = 0; round < (bench.quick ? 3 : 9); round += 1) {
      const readyMs = { large: 0, empty: 0 };
      // One at a time: the walk of the large one would slow the other.
      for (const variant of ["large", "empty"] as const) {
        const product = await start(variant);
        readyMs[variant] = product.readyMs;
        await product.end();
      }
      later.push(readyMs.large - readyMs.empty);
    }
    const [full, bare] = [await start("large"), await start("empty")];
    await pauseFor(settleMs);
    const moreBytes = readMemory(full.pid).ussBytes - readMemory(bare.pid).ussBytes;
    await bare.end();
    const shown = await measureShownChanges(full, large, bench.quick ? 3 : 10).catch((error: unknown) =>
      error instanceof Error ? error.message.split("\n", 1)[0] : String(error),
    );
    await full.end();
    return [...readyAndMemoryRows(label, later, moreBytes), shownRow(label, shown)];
  } finally {
    await model.close();
  }
}

function readyAndMemoryRows(label: string, later: readonly number[], moreBytes: number): readonly BenchRow[] {
  const laterMs = median(later);
  return [
    {
      id: "large-ready",
      what: `${label}: ready later than an empty one`,
      measured: formatMs(laterMs),
      yardstick: "an empty project; chokidar on all 5 s",
      budget: `≤ ${largeProjectBudget.laterMs} ms`,
      met: laterMs <= largeProjectBudget.laterMs,
      figures: { laterMs, rounds: later.length },
    },
    {
      id: "large-memory",
      what: `${label}: more private memory, 10 s after ready`,
      measured: formatMegabytes(moreBytes),
      yardstick: "an empty project; chokidar on all 1.1 GB",
      budget: `≤ ${formatMegabytes(largeProjectBudget.moreBytes)}`,
      met: moreBytes <= largeProjectBudget.moreBytes,
      figures: { moreBytes },
    },
  ];
}

function shownRow(project: string, shown: readonly number[] | string | undefined): BenchRow {
  const label = `${project}: a new file shown in an open folder of the tree`;
  if (shown === undefined || typeof shown === "string")
    return unmeasuredRow("large-change", label, shown ?? "no reason");
  const worst = percentile(shown, 0.95);
  return {
    id: "large-change",
    what: label,
    measured: `p50 ${formatMs(median(shown))}, p95 ${formatMs(worst)}`,
    yardstick: "-",
    budget: `≤ ${largeProjectBudget.shownMs} ms`,
    met: worst <= largeProjectBudget.shownMs,
    figures: { p50Ms: median(shown), p95Ms: worst, rounds: shown.length },
  };
}

async function measureShownChanges(product: BenchProduct, folder: string, rounds: number): Promise<readonly number[]> {
  const browser = await launchBrowser();
  try {
    const { page } = await openPage(browser, product);
    const tree = page.getByRole("tree").first();
    if (!(await tree.isVisible())) await page.getByRole("button", { name: "Files", exact: true }).first().click();
    await page.getByRole("treeitem").first().waitFor();
    const shown: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const name = `new-file-${round}.txt`;
      await armProbe(page, name);
      const changedAt = epochMs();
      writeFileSync(join(folder, name), "new\n");
      const { markAt } = await waitForMark(page, shownLimitMs);
      shown.push(markAt - changedAt);
    }
    return shown;
  } finally {
    await browser.close();
  }
}
