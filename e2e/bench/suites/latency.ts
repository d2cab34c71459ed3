/** Measures the latency from Enter to the model server, and from a token to the DOM. */
import { type ScriptedModel, startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { stampedAnswer } from "../data/answers";
import { serveBarePage } from "../browser/bare-page";
import type { Bench } from "../bench";
import { lastChatRequest } from "../server/chat-requests";
import { type BenchPage, launchBrowser, openPage } from "../browser/bench-page";
import { newSession, startProduct } from "../server/bench-product";
import { formatMs, percentile, type BenchRow } from "../bench-row";

const enterBudgetMs = 20;
const tokenBudgetMs = { p50: 17, p95: 25 };

export async function latency(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const product = await startProduct(bench, {
    home: bench.folder("home"),
    project: bench.folder("project"),
    modelUrl: model.url,
  });
  const bare = await serveBarePage(model.url);
  const browser = await launchBrowser();
  try {
    const yardstick = await openPage(browser, bare);
    const bareFigures = await measure(bench, model, yardstick);
    await yardstick.close();
    const view = await openPage(browser, product);
    await view.openSession(await newSession(product));
    const own = await measure(bench, model, view);
    return [enterRow(own.enter, bareFigures.enter), tokenRow(own, bareFigures)];
  } finally {
    await browser.close();
    bare.close();
    await product.end();
    await model.close();
  }
}

interface LatencyFigures {
  /** Enter to the request, ms. */
  readonly enter: readonly number[];
  /** Token written to token in the DOM, ms. */
  readonly tokens: readonly number[];
  readonly longTasks: readonly number[];
}

async function measure(bench: Bench, model: ScriptedModel, view: BenchPage): Promise<LatencyFigures> {
  const enter: number[] = [];
  const rounds = bench.quick ? 8 : 30;
  for (let round = 0; round <= rounds; round += 1) {
    const mark = `ANSWER${round}END`;
    model.setScript({ turns: [{ pieces: [mark] }] });
    const { enterAt } = await view.sendPrompt(`Question ${round}`, mark);
    // The first question also selects the model and takes the snapshot.
    if (round > 0) enter.push(lastChatRequest(model.requests).at - enterAt);
  }
  const tokens = bench.quick ? 400 : 1_500;
  model.setScript({ turns: [{ pieces: stampedAnswer(tokens, "STREAMEND"), stamp: true, tps: 100 }] });
  const { arrivals, longTasks } = await view.sendPrompt("Now a long one", "STREAMEND");
  return { enter, tokens: arrivals.map(([written, shown]) => shown - written), longTasks };
}

const middleAndTail = (samples: readonly number[]): readonly [p50: number, p95: number] => [
  percentile(samples, 0.5),
  percentile(samples, 0.95),
];

function enterRow(samples: readonly number[], bare: readonly number[]): BenchRow {
  const [p50, p95] = middleAndTail(samples);
  const [bareP50, bareP95] = middleAndTail(bare);
  return {
    id: "enter-to-request",
    what: "Enter in the browser to the request at the model server",
    measured: `p50 ${formatMs(p50)}, p95 ${formatMs(p95)} (n ${samples.length})`,
    yardstick: `bare page ${formatMs(bareP50)} / ${formatMs(bareP95)}; best peer 95 ms`,
    budget: `p95 ≤ ${enterBudgetMs} ms`,
    met: p95 <= enterBudgetMs,
    figures: { p50Ms: p50, p95Ms: p95, bareP50Ms: bareP50, bareP95Ms: bareP95, samples: samples.length },
  };
}

function tokenRow({ tokens: samples, longTasks }: LatencyFigures, bare: LatencyFigures): BenchRow {
  const [p50, p95] = middleAndTail(samples);
  const [bareP50, bareP95] = middleAndTail(bare.tokens);
  return {
    id: "token-to-dom",
    what: "token at the model server to the DOM, 100 tokens/s",
    measured: `p50 ${formatMs(p50)}, p95 ${formatMs(p95)} (n ${samples.length})`,
    yardstick: `bare page ${formatMs(bareP50)} / ${formatMs(bareP95)}; best peer 18 / 40 ms`,
    budget: `≤ ${tokenBudgetMs.p50} / ${tokenBudgetMs.p95} ms`,
    met: p50 <= tokenBudgetMs.p50 && p95 <= tokenBudgetMs.p95,
    figures: {
      p50Ms: p50,
      p95Ms: p95,
      bareP50Ms: bareP50,
      bareP95Ms: bareP95,
      samples: samples.length,
      longTasks: longTasks.length,
    },
  };
}
