/**
 * Measures the memory of the process tree: idle, and after long answers with a page open. Private memory (USS),
 * printed with RSS.
 */
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { longAnswer } from "../data/answers";
import { type Bench, endProcess, pauseFor } from "../bench";
import { launchBrowser, openPage } from "../browser/bench-page";
import { type ProcessMemory, readMemory } from "../server/process-tree";
import { bareArguments, readFirstOutputLine, freePort, newSession, startProduct } from "../server/bench-product";
import { formatMegabytes, median, unmeasuredRow, type BenchRow, formatRatio } from "../bench-row";

const idleBudgetBytes = 35 * 1_048_576;
const settleMs = 10_000;
/** Garbage is collected in steps, some seconds apart, once nothing runs. */
const restMs = 20_000;
const answerCount = 5;
const tokensEach = 10_000;

export async function memory(bench: Bench): Promise<readonly BenchRow[]> {
  if (process.platform !== "linux") return [unmeasuredRow("memory-idle", "idle memory", "needs /proc")];
  const idle: ProcessMemory[] = [];
  const bare: ProcessMemory[] = [];
  let used: BenchRow | null = null;
  const rounds = bench.quick ? 1 : 3;
  for (let round = 0; round < rounds; round += 1) {
    const model = await startScriptedModel();
    const options = { home: bench.folder("home"), project: bench.folder("project"), modelUrl: model.url };
    const product = await startProduct(bench, options);
    const yardstick = bench.spawn(bareArguments(await freePort()));
    try {
      await readFirstOutputLine(yardstick);
      await pauseFor(settleMs);
      const now = readMemory(product.pid);
      idle.push(now);
      bare.push(readMemory(yardstick.pid ?? 0));
      if (round === rounds - 1) used = await afterAnswers(model, product, now);
    } finally {
      await endProcess(yardstick);
      await product.end();
      await model.close();
    }
  }
  return [idleRow(idle, bare), ...(used === null ? [] : [used])];
}

function idleRow(idle: readonly ProcessMemory[], bare: readonly ProcessMemory[]): BenchRow {
  const uss = median(idle.map((each) => each.ussBytes));
  const rss = median(idle.map((each) => each.rssBytes));
  const bareUss = median(bare.map((each) => each.ussBytes));
  const bareRss = median(bare.map((each) => each.rssBytes));
  return {
    id: "memory-idle",
    what: "idle memory 10 s after ready, one project open: private (USS)",
    measured: `${formatMegabytes(uss)} (RSS ${formatMegabytes(rss)})`,
    yardstick: `bare node:http ${formatMegabytes(bareUss)} (RSS ${formatMegabytes(bareRss)}); best peer 311 MB PSS`,
    budget: `≤ ${formatMegabytes(idleBudgetBytes)}`,
    met: uss <= idleBudgetBytes,
    figures: { ussBytes: uss, rssBytes: rss, bareUssBytes: bareUss, bareRssBytes: bareRss, rounds: idle.length },
  };
}

async function afterAnswers(
  model: Awaited<ReturnType<typeof startScriptedModel>>,
  product: Awaited<ReturnType<typeof startProduct>>,
  idle: ProcessMemory,
): Promise<BenchRow> {
  const browser = await launchBrowser();
  try {
    const view = await openPage(browser, product);
    for (let answer = 0; answer < answerCount; answer += 1) {
      // One session each: five such answers exceed one context window.
      await view.openSession(await newSession(product));
      const mark = `ANSWER${answer}END`;
      model.setScript({ turns: [{ pieces: longAnswer(tokensEach, mark) }] });
      await view.sendPrompt("Write it all", mark);
    }
    await pauseFor(restMs);
    const { ussBytes, rssBytes } = readMemory(product.pid);
    return {
      id: "memory-used",
      what: "the same 20 s after five 10,000-token answers, page open",
      measured: `${formatMegabytes(ussBytes)} (RSS ${formatMegabytes(rssBytes)}), ${formatRatio(ussBytes / idle.ussBytes)}`,
      yardstick: `idle ${formatMegabytes(idle.ussBytes)}; best peer 905 MB PSS`,
      budget: "≤ 2.0 × idle",
      met: ussBytes <= 2 * idle.ussBytes,
      figures: { ussBytes, rssBytes, idleUssBytes: idle.ussBytes },
    };
  } finally {
    await browser.close();
  }
}
