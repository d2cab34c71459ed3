/** Measures the page itself: first paint, time until it can be used, size of its JavaScript, cost of a second load. */
import { join } from "node:path";
import type { Page } from "playwright";
import { gzipBytes, neverIdle, loadedScripts } from "../../fixtures/first-screen";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { type Bench, root } from "../bench";
import { provideEmptyPage, serveFolder } from "../browser/empty-page";
import { type BenchPage, launchBrowser, openPage, idleComposer } from "../browser/bench-page";
import { startProduct } from "../server/bench-product";
import { formatKilobytes, median, formatMs, type BenchRow, formatRatio } from "../bench-row";

/** Multiples of the first paint of the empty page, and sizes in bytes. */
const loadBudget = { paint: 1.3, typing: 1.3, usable: 2.5, scriptBytes: 110_000, secondLoadBytes: 10_000 };

interface LoadTimes {
  /** The first text or picture. */
  readonly paintMs: number;
  /** The first pixel. */
  readonly skeletonMs: number;
  /** A field that takes text has the focus. */
  readonly typingMs: number;
  readonly usableMs: number;
  /** Bytes transferred, headers included. */
  readonly bytes: number;
}

export async function pageLoad(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const product = await startProduct(bench, {
    home: bench.folder("home"),
    project: bench.folder("project"),
    modelUrl: model.url,
  });
  const browser = await launchBrowser();
  try {
    const empty = await serveFolder(await provideEmptyPage(bench));
    const view = await openPage(browser, product);
    // By the page's own clock: an evaluation from outside waits for the page's scripts and delays its first paint.
    await view.page.addInitScript(recordTimesScript);
    const address = new URL("/", product.url).href;
    const first: LoadTimes[] = [];
    const second: LoadTimes[] = [];
    const bare: number[] = [];
    for (let round = 0; round < (bench.quick ? 3 : 9); round += 1) {
      await view.devtools.send("Network.clearBrowserCache");
      bare.push(await measureFirstPaint(view.page, empty.url));
      await view.devtools.send("Network.clearBrowserCache");
      first.push(await measureLoad(view, address));
      second.push(await measureLoad(view, address));
    }
    await view.page.goto(empty.url, { waitUntil: "networkidle" });
    const emptyScripts = gzipBytes(empty.folder, await loadedScripts(view.page));
    empty.server.close();
    return [...timeRows(first, second, bare), scriptRow(await firstScripts(view, address), emptyScripts)];
  } finally {
    await browser.close();
    await product.end();
    await model.close();
  }
}

const recordTimesScript = `
  addEventListener("focusin", () => { window.benchFocusedAt ??= performance.now(); });
  new MutationObserver((changes, observer) => {
    if (document.querySelector(${JSON.stringify(idleComposer)}) === null) return;
    window.benchUsableAt = performance.now();
    observer.disconnect();
  }).observe(document, { subtree: true, childList: true, attributes: true });
`;

async function measureLoad({ page }: BenchPage, address: string): Promise<LoadTimes> {
  // From a blank page, so that it is a load and not a change of the fragment.
  await page.goto("about:blank");
  await page.goto(address, { waitUntil: "networkidle" });
  await page.locator(idleComposer).first().waitFor();
  const typingMs: number = await page.evaluate("benchFocusedAt");
  const usableMs: number = await page.evaluate("benchUsableAt");
  const paintMs: number = await page.evaluate(contentPaint);
  const skeletonMs: number = await page.evaluate(firstPaint);
  const bytes: number = await page.evaluate(
    '[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((sum, one) => sum + (one.transferSize ?? 0), 0)',
  );
  return { paintMs, skeletonMs, typingMs, usableMs, bytes };
}

const firstPaint = 'performance.getEntriesByName("first-paint")[0]?.startTime ?? NaN';
const contentPaint = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN';

async function measureFirstPaint(page: Page, address: string): Promise<number> {
  await page.goto("about:blank");
  await page.goto(address, { waitUntil: "networkidle" });
  const paintMs: number = await page.evaluate(contentPaint);
  return paintMs;
}

/**
 * Returns the scripts of the first screen only: on a busy machine, scripts loaded when the page is idle may arrive
 * before the measurement.
 */
async function firstScripts({ context }: BenchPage, address: string): Promise<readonly string[]> {
  const page = await context.newPage();
  await page.addInitScript(neverIdle);
  await page.goto(address);
  await page.locator(idleComposer).first().waitFor();
  await page.waitForLoadState("networkidle");
  const scripts = await loadedScripts(page);
  await page.close();
  return scripts;
}

function timeRows(
  first: readonly LoadTimes[],
  second: readonly LoadTimes[],
  bare: readonly number[],
): readonly BenchRow[] {
  const paint = median(first.map((each) => each.paintMs));
  const usable = median(first.map((each) => each.usableMs));
  const typing = median(first.map((each) => each.typingMs));
  const empty = median(bare);
  const again = median(second.map((each) => each.bytes));
  return [
    {
      id: "load-paint",
      what: "first contentful paint, empty cache",
      measured: `${formatMs(paint)}, ${formatRatio(paint / empty)} (first pixel ${formatMs(median(first.map((each) => each.skeletonMs)))})`,
      yardstick: `empty page of the same Next ${formatMs(median(bare))}; best peer 388 ms`,
      budget: `≤ ${loadBudget.paint} ×`,
      met: paint <= loadBudget.paint * empty,
      figures: {
        paintMs: paint,
        firstPixelMs: median(first.map((each) => each.skeletonMs)),
        emptyPaintMs: median(bare),
        warmPaintMs: median(second.map((each) => each.paintMs)),
      },
    },
    {
      id: "load-typing",
      what: "navigation to a message field that takes text, empty cache",
      measured: `${formatMs(typing)}, ${formatRatio(typing / empty)}`,
      yardstick: `first paint of the empty page ${formatMs(empty)}`,
      budget: `≤ ${loadBudget.typing} ×`,
      met: typing <= loadBudget.typing * empty,
      figures: { typingMs: typing, emptyPaintMs: empty },
    },
    {
      id: "load-usable",
      what: "navigation to a composer that takes a prompt, empty cache",
      measured: `${formatMs(usable)}, ${formatRatio(usable / empty)}`,
      yardstick: `first paint of the empty page ${formatMs(empty)}; best peer 0.4 to 1.05 s`,
      budget: `≤ ${loadBudget.usable} ×`,
      met: usable <= loadBudget.usable * empty,
      figures: { usableMs: usable, warmUsableMs: median(second.map((each) => each.usableMs)) },
    },
    {
      id: "load-second",
      what: "bytes of a second load",
      measured: formatKilobytes(again),
      yardstick: `first load ${formatKilobytes(median(first.map((each) => each.bytes)))}; best peer 4.4 MB`,
      budget: `≤ ${formatKilobytes(loadBudget.secondLoadBytes)}`,
      met: again <= loadBudget.secondLoadBytes,
      figures: { bytes: again, firstLoadBytes: median(first.map((each) => each.bytes)) },
    },
  ];
}

function scriptRow(scripts: readonly string[], emptyBytes: number): BenchRow {
  const ownBytes = gzipBytes(join(root, "dist/ui"), scripts);
  return {
    id: "load-scripts",
    what: "JavaScript of the first screen, gzip, above an empty page of the same Next",
    measured: `${formatKilobytes(ownBytes - emptyBytes)} (${formatKilobytes(ownBytes)} in ${scripts.length} files)`,
    yardstick: `empty page ${formatKilobytes(emptyBytes)}; best peer 2.68 MB in all`,
    budget: `≤ ${formatKilobytes(loadBudget.scriptBytes)}`,
    met: ownBytes - emptyBytes <= loadBudget.scriptBytes,
    figures: { ownBytes, emptyBytes, aboveBytes: ownBytes - emptyBytes, files: scripts.length },
  };
}
