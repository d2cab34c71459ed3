/**
 * Measures opening a session of 10,000 messages on a fresh server, and the tab's memory while scrolling back through
 * it.
 */
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { type Bench, pauseFor } from "../bench";
import { type BenchPage, launchBrowser, openPage, waitForMark } from "../browser/bench-page";
import { freePort, startProduct } from "../server/bench-product";
import { formatMegabytes, median, formatMs, type BenchRow, formatRatio } from "../bench-row";
import { seedSession } from "../data/seed-session";

const messageTotal = 10_000;
const lastMessageMark = "THELASTWORD";
const shortMessages = 10;
const openBudget = 1.2;
const growthBudget = 2;

export async function openLongSession(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  // A cookie belongs to a port, and signing in must not open the session.
  const options = {
    home: bench.folder("home"),
    project: bench.folder("project"),
    modelUrl: model.url,
    port: await freePort(),
  };
  const sessionId = await seedSession({ ...options, messages: messageTotal, mark: lastMessageMark });
  const shortId = await seedSession({
    ...options,
    messages: shortMessages,
    mark: lastMessageMark,
    id: "ses_bench_short",
  });
  let product = await startProduct(bench, options);
  const browser = await launchBrowser();
  try {
    const view = await openPage(browser, product);
    const opened: Record<"long" | "short", number[]> = { long: [], short: [] };
    for (let round = 0; round <= (bench.quick ? 2 : 5); round += 1) {
      for (const length of ["short", "long"] as const) {
        await view.page.goto("about:blank");
        await product.end();
        product = await startProduct(bench, options);
        const id = length === "long" ? sessionId : shortId;
        const tookMs = await openSession(view, new URL(`/s/${id}`, product.url).href);
        // The log was seeded without the program: its first opening stores the folded view, as a run would have.
        if (round > 0) opened[length].push(tookMs);
      }
    }
    return [openRow(opened.long, opened.short), await scrollRow(view, bench.quick ? 40 : 200)];
  } finally {
    await browser.close();
    await product.end();
    await model.close();
  }
}

/** Returns the time from the navigation to the frame that shows the last message, by the page's clock. */
async function openSession({ page, context }: BenchPage, address: string): Promise<number> {
  const marked = await context.newPage();
  await marked.addInitScript(`benchProbe.arm(${JSON.stringify(lastMessageMark)})`);
  await marked.goto(address);
  const { markAt } = await waitForMark(marked);
  const origin: number = await marked.evaluate("performance.timeOrigin");
  await marked.close();
  await page.goto(address);
  return markAt - origin;
}

function openRow(samples: readonly number[], short: readonly number[]): BenchRow {
  const ratio = median(samples) / median(short);
  return {
    id: "open-history",
    what: `opening a session of ${messageTotal.toLocaleString("en")} messages, fresh server: navigation to the last message painted`,
    measured: `${formatMs(median(samples))}, ${formatRatio(ratio)}`,
    yardstick: `one of ${shortMessages} messages ${formatMs(median(short))}`,
    budget: `≤ ${openBudget} ×`,
    met: ratio <= openBudget,
    figures: {
      medianMs: median(samples),
      worstMs: Math.max(...samples),
      shortMedianMs: median(short),
      ratio,
      rounds: samples.length,
    },
  };
}

/** Scrolls back by whole screens; earlier pages are loaded meanwhile. */
async function scrollRow(view: BenchPage, screens: number): Promise<BenchRow> {
  await view.page.getByText(lastMessageMark).first().waitFor();
  const before = await view.heapBytes();
  const nodesBefore: number = await view.page.evaluate("document.getElementsByTagName('*').length");
  await view.page.mouse.move(720, 450);
  const betweenMs = 30;
  for (let screen = 0; screen < screens; screen += 1) {
    await view.page.mouse.wheel(0, -800);
    await pauseFor(betweenMs);
  }
  const nodes: number = await view.page.evaluate("document.getElementsByTagName('*').length");
  const after = await view.heapBytes();
  return {
    id: "scroll-history",
    what: `tab memory while scrolling back ${screens} screens of it (JavaScript heap after collection)`,
    measured: `${formatMegabytes(after)}, ${nodes} nodes`,
    yardstick: `before ${formatMegabytes(before)}, ${nodesBefore} nodes`,
    budget: "flat",
    met: after <= growthBudget * before && nodes <= growthBudget * nodesBefore,
    figures: { beforeBytes: before, afterBytes: after, nodesBefore, nodes },
  };
}
