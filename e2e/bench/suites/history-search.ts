/**
 * Measures full-text search over the history through the product's API: the first page with its snippets, in English
 * and Chinese.
 */
import Database from "better-sqlite3";
import { join } from "node:path";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import type { Bench } from "../bench";
import { startProduct } from "../server/bench-product";
import { formatMegabytes, median, formatMs, percentile, type BenchRow, formatRatio } from "../bench-row";
import { seedHistory, type SeededHistory } from "../data/seed-history";

/** Multiples of one scan of the same log by SQLite in this process. */
const searchBudget = { search: 0.1, statistics: 1 };
const messageCount = (bench: Bench): number => (bench.quick ? 100_000 : 1_000_000);

/** Rare, common and absent words, two words, prefixes, one character, phrases, both scripts. */
const queries = [
  "zanzibar",
  "session",
  "nothinglikethis",
  "parser socket",
  "pars",
  "sess",
  "toke",
  "ralito",
  "the error",
  "独角鲸",
  "修",
  "会话",
  "搜索历史",
  "没有这句话",
  "会话 ra",
] as const;

export async function historySearch(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const options = { home: bench.folder("home"), project: bench.folder("project"), modelUrl: model.url };
  const messages = messageCount(bench);
  const seeded = await seedHistory({ ...options, messages });
  const product = await startProduct(bench, options);
  try {
    const search = async (query: string): Promise<number> => {
      const startedAt = performance.now();
      await product.call("history.search", { query });
      return performance.now() - startedAt;
    };
    // The first query opens the index.
    for (const query of queries) await search(query);
    const samples: number[] = [];
    for (let round = 0; round < (bench.quick ? 5 : 20); round += 1)
      for (const query of queries) samples.push(await search(query));
    const startedAt = performance.now();
    await product.call("history.statistics", { zone: "Asia/Shanghai" });
    const statisticsMs = performance.now() - startedAt;
    const scanMs = median([1, 2, 3].map(() => measureLogScan(options.home)));
    return [
      searchRow(messages, samples, scanMs),
      statisticsRow(messages, statisticsMs, scanMs),
      indexRow(messages, seeded, scanMs),
    ];
  } finally {
    await product.end();
    await model.close();
  }
}

/** Returns how long SQLite takes to read the whole log once in this process, ms. */
function measureLogScan(home: string): number {
  const database = new Database(join(home, "gopi.db"), { readonly: true });
  try {
    const startedAt = performance.now();
    database.prepare("SELECT count(*), sum(instr(body, 'nothinglikethis')) FROM events").get();
    return performance.now() - startedAt;
  } finally {
    database.close();
  }
}

const scanYardstick = (scanMs: number): string => `SQLite reads the log once ${formatMs(scanMs)}`;
const formatMessageCount = (messages: number): string => messages.toLocaleString("en");

function searchRow(messages: number, samples: readonly number[], scanMs: number): BenchRow {
  const [p50Ms, p95Ms] = [percentile(samples, 0.5), percentile(samples, 0.95)];
  return {
    id: "find-history",
    what: `full-text search over ${formatMessageCount(messages)} messages, first page with snippets, English and Chinese, p50 / p95`,
    measured: `${formatMs(p50Ms)} / ${formatMs(p95Ms)}`,
    yardstick: scanYardstick(scanMs),
    budget: `p95 ≤ ${formatRatio(searchBudget.search)}`,
    met: p95Ms <= searchBudget.search * scanMs,
    figures: { scanMs, p50Ms, p95Ms, worstMs: Math.max(...samples), samples: samples.length },
  };
}

function statisticsRow(messages: number, tookMs: number, scanMs: number): BenchRow {
  return {
    id: "statistics",
    what: `statistics of ${formatMessageCount(messages)} messages`,
    measured: formatMs(tookMs),
    yardstick: scanYardstick(scanMs),
    budget: `≤ ${formatRatio(searchBudget.statistics)}`,
    met: tookMs <= searchBudget.statistics * scanMs,
    figures: { scanMs, tookMs },
  };
}

function indexRow(messages: number, { indexMs, stepP95Ms, indexBytes }: SeededHistory, scanMs: number): BenchRow {
  return {
    id: "index-history",
    what: `indexing ${formatMessageCount(messages)} messages: all of it, one step p95, size of the index`,
    measured: `${(indexMs / 1_000).toFixed(0)} s, ${formatMs(stepP95Ms)}, ${formatMegabytes(indexBytes)}`,
    yardstick: scanYardstick(scanMs),
    budget: "-",
    met: null,
    figures: { scanMs, indexMs, stepP95Ms, indexBytes },
  };
}
