/**
 * Measures opening a session of 10,000 messages on a fresh server, and the tab's memory while scrolling back through
 * it.
 */
import { startScriptedModel } from "../fixtures/scripted-model.mjs";
import { type Bench, pause } from "./bench";
import { type BenchPage, launchBrowser, openPage, whenMarked } from "./page";
import { freePort, startProduct } from "./product";
import { mb, median, ms, type Row, times } from "./row";
import { seedSession } from "./seed";

const messages = 10_000;
const mark = "THELASTWORD";
const shortMessages = 10;
const openBudget = 1.2;
const growthBudget = 2;

export async function history(bench: Bench): Promise<readonly Row[]> {
  const model = await startScriptedModel();
  // A cookie belongs to a port, and signing in must not open the session.
  const options = {
    home: bench.folder("home"),
    project: bench.folder("project"),
    modelUrl: model.url,
    port: await freePort(),
  };
  const sessionId = await seedSession({ ...options, messages, mark });
  const shortId = await seedSession({ ...options, messages: shortMessages, mark, id: "ses_bench_short" });
  let product = await startProduct(bench, options);
  const browser = await launchBrowser();
  try {
    const view = await openPage(browser, product);
    const opened: Record<"long" | "short", number[]> = { long: [], short: [] };
    for (let round = 0; round <= (bench.quick ? 2 : 5); round += 1) {
      for (const which of ["short", "long"] as const) {
        await view.page.goto("about:blank");
        await product.end();
        product = await startProduct(bench, options);
        const id = which === "long" ? sessionId : shortId;
        const tookMs = await openSession(view, new URL(`/s/${id}`, product.url).href);
        // The log was seeded without the program: its first opening stores the folded view, as a run would have.
        if (round > 0) opened[which].push(tookMs);
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
  await marked.addInitScript(`benchProbe.arm(${JSON.stringify(mark)})`);
  await marked.goto(address);
  const { markAt } = await whenMarked(marked);
  const origin: number = await marked.evaluate("performance.timeOrigin");
  await marked.close();
  await page.goto(address);
  return markAt - origin;
}

function openRow(samples: readonly number[], short: readonly number[]): Row {
  const ratio = median(samples) / median(short);
  return {
    id: "open-history",
    what: `opening a session of ${messages.toLocaleString("en")} messages, fresh server: navigation to the last message painted`,
    measured: `${ms(median(samples))}, ${times(ratio)}`,
    yardstick: `one of ${shortMessages} messages ${ms(median(short))}`,
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
async function scrollRow(view: BenchPage, screens: number): Promise<Row> {
  await view.page.getByText(mark).first().waitFor();
  const before = await view.heapBytes();
  const nodesBefore: number = await view.page.evaluate("document.getElementsByTagName('*').length");
  await view.page.mouse.move(720, 450);
  const betweenMs = 30;
  for (let screen = 0; screen < screens; screen += 1) {
    await view.page.mouse.wheel(0, -800);
    await pause(betweenMs);
  }
  const nodes: number = await view.page.evaluate("document.getElementsByTagName('*').length");
  const after = await view.heapBytes();
  return {
    id: "scroll-history",
    what: `tab memory while scrolling back ${screens} screens of it (JavaScript heap after collection)`,
    measured: `${mb(after)}, ${nodes} nodes`,
    yardstick: `before ${mb(before)}, ${nodesBefore} nodes`,
    budget: "flat",
    met: after <= growthBudget * before && nodes <= growthBudget * nodesBefore,
    figures: { beforeBytes: before, afterBytes: after, nodesBefore, nodes },
  };
}
