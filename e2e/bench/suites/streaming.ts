/**
 * Measures a 10,000-token answer on screen at full speed, at 200 and at 1,000 tokens a second, and the server's CPU at
 * 100 tokens a second.
 */
import { type ScriptedModel, startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { longAnswer } from "../data/answers";
import { serveBarePage } from "../browser/bare-page";
import { type Bench, epochMs } from "../bench";
import { chatRequests } from "../server/chat-requests";
import { type BenchPage, launchBrowser, openPage } from "../browser/bench-page";
import { readCpuMs } from "../server/process-tree";
import { readFirstOutputLine, newSession, type BenchProduct, startProduct } from "../server/bench-product";
import { median, formatMs, type BenchRow } from "../bench-row";

const tokens = 10_000;
const lastWordMark = "THELASTWORD";
const fullSpeedBudgetMs = 400;
const lagBudgetMs = 100;
const cpuBudget = 0.1;

export async function streaming(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const product = await startProduct(bench, {
    home: bench.folder("home"),
    project: bench.folder("project"),
    modelUrl: model.url,
  });
  const bare = await serveBarePage(model.url);
  const browser = await launchBrowser();
  try {
    const view = await openPage(browser, product);
    const scene: StreamingContext = { bench, model, product, view, yardstick: await openPage(browser, bare) };
    return [
      await measureFullSpeed(scene),
      await measurePaced(scene, 1_000, bench.quick ? 5_000 : tokens),
      await measurePaced(scene, 200, bench.quick ? 1_000 : tokens),
      await measureServerCpu(scene, bench.quick ? 1_000 : 3_000),
    ];
  } finally {
    await browser.close();
    bare.close();
    await product.end();
    await model.close();
  }
}

interface StreamingContext {
  readonly bench: Bench;
  readonly model: ScriptedModel;
  readonly product: BenchProduct;
  readonly view: BenchPage;
  /** The bare page. */
  readonly yardstick: BenchPage;
}

/**
 * Measures the CPU time of the server's tree and of the page's main thread while `work` runs; unlike wall time, other
 * programs do not change it.
 */
async function measureCpu<T>({ product, view }: StreamingContext, work: () => Promise<T>) {
  const server = readCpuMs(product.pid);
  const page = await view.cpuMs();
  const value = await work();
  return { value, serverMs: readCpuMs(product.pid) - server, pageMs: (await view.cpuMs()) - page };
}

async function measureFullSpeed(scene: StreamingContext): Promise<BenchRow> {
  const { bench, model, product, view, yardstick } = scene;
  const turn = { pieces: longAnswer(tokens, lastWordMark) };
  const shown: number[] = [];
  const raw: number[] = [];
  const bare: number[] = [];
  const serverCpu: number[] = [];
  const pageCpu: number[] = [];
  let longTasks = 0;
  for (let round = 0; round < (bench.quick ? 2 : 5); round += 1) {
    model.setScript({ turns: [turn] });
    raw.push(await rawStreamMs(bench, model.url));
    model.setScript({ turns: [turn] });
    const bareProbe = await yardstick.sendPrompt("Write it all", lastWordMark);
    bare.push(bareProbe.markAt - bareProbe.enterAt);
    await yardstick.page.reload();
    model.setScript({ turns: [turn] });
    await view.openSession(await newSession(product));
    const {
      value: probe,
      serverMs,
      pageMs,
    } = await measureCpu(scene, () => view.sendPrompt("Write it all", lastWordMark));
    shown.push(probe.markAt - probe.enterAt);
    serverCpu.push(serverMs);
    pageCpu.push(pageMs);
    longTasks += probe.longTasks.length;
  }
  return {
    id: "stream-full-speed",
    what: "10,000-token answer at full speed, Enter to the last character on screen",
    measured: `${formatMs(median(shown))} (CPU: server ${formatMs(median(serverCpu))}, page ${formatMs(median(pageCpu))})`,
    yardstick: `bare client ${formatMs(median(raw))}, bare page ${formatMs(median(bare))}; best peer 1.26 s`,
    budget: `≤ ${fullSpeedBudgetMs} ms`,
    met: median(shown) <= fullSpeedBudgetMs,
    figures: {
      medianMs: median(shown),
      rawMs: median(raw),
      barePageMs: median(bare),
      serverCpuMs: median(serverCpu),
      pageCpuMs: median(pageCpu),
      rounds: shown.length,
      longTasks,
    },
  };
}

async function measurePaced(scene: StreamingContext, perSecond: number, count: number): Promise<BenchRow> {
  const { model, product, view } = scene;
  model.setScript({ turns: [{ pieces: longAnswer(count, lastWordMark), tps: perSecond }] });
  await view.openSession(await newSession(product));
  const requestCount = chatRequests(model.requests).length;
  const ended = model.waitFor((requests) => chatRequests(requests)[requestCount]?.ended === true).then(epochMs);
  const {
    value: probe,
    serverMs,
    pageMs,
  } = await measureCpu(scene, () => view.sendPrompt("Write it slowly", lastWordMark));
  const lagMs = probe.markAt - (await ended);
  return {
    id: `stream-${perSecond}`,
    what: `a ${count.toLocaleString("en")}-token answer at ${perSecond.toLocaleString("en")} tokens/s`,
    measured: `last character ${formatMs(lagMs)} after the stream's end, ${probe.longTasks.length} long tasks`,
    yardstick: `the stream's own ${(count / perSecond).toFixed(1)} s`,
    budget: `≤ ${lagBudgetMs} ms, no task > 50 ms`,
    met: lagMs <= lagBudgetMs && probe.longTasks.length === 0,
    figures: {
      lagMs,
      longTasks: probe.longTasks.length,
      longestTaskMs: Math.max(0, ...probe.longTasks),
      serverCpuMs: serverMs,
      pageCpuMs: pageMs,
      tookMs: probe.markAt - probe.enterAt,
    },
  };
}

async function measureServerCpu(scene: StreamingContext, count: number): Promise<BenchRow> {
  const { model, product, view } = scene;
  model.setScript({ turns: [{ pieces: longAnswer(count, lastWordMark), tps: 100 }] });
  await view.openSession(await newSession(product));
  const {
    value: probe,
    serverMs,
    pageMs,
  } = await measureCpu(scene, () => view.sendPrompt("Write at the usual speed", lastWordMark));
  const tookMs = probe.markAt - probe.enterAt;
  const share = serverMs / tookMs;
  return {
    id: "stream-cpu",
    what: "server CPU while 100 tokens/s stream into a page",
    measured: `${(share * 100).toFixed(1)} % of a core (page ${((pageMs / tookMs) * 100).toFixed(1)} %)`,
    yardstick: "best peer about 50 %",
    budget: `≤ ${cpuBudget * 100} %`,
    met: share <= cpuBudget,
    figures: { share, pageShare: pageMs / tookMs, tokens: count },
  };
}

const bareClient = `
  const { request } = require("node:http");
  const body = JSON.stringify({ model: "scripted:latest", messages: [{ role: "user", content: "Write it all" }] });
  const startedAt = performance.now();
  request(process.argv[1] + "/api/chat", { method: "POST" }, (answer) => {
    answer.on("data", () => {}).on("end", () => console.log(performance.now() - startedAt));
  }).end(body);
`;

async function rawStreamMs(bench: Bench, url: string): Promise<number> {
  return Number(await readFirstOutputLine(bench.spawn(["-e", bareClient, url])));
}
