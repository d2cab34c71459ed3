/**
 * Drives a real browser on the product's page with the probe loaded: prompts are typed by keys, times are read from
 * the page's own clock.
 */
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from "playwright";
import type { SessionId } from "@/lib/events/id";
import { chromiumArguments } from "../../fixtures/chromium-arguments";

const limitMs = 60_000;

/** Records of probe.js; times in ms since the epoch. */
interface ProbeRecord {
  readonly enterAt: number;
  readonly markAt: number;
  /** Pairs: when a token was written, when it was in the DOM. */
  readonly arrivals: readonly (readonly [number, number])[];
  /** Durations, ms; the browser reports tasks above 50. */
  readonly longTasks: readonly number[];
}

export interface BenchPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly devtools: CDPSession;
  openSession(id: SessionId): Promise<void>;
  /** Types the prompt, presses Enter, waits until `mark` is on screen and the composer is idle again. */
  sendPrompt(text: string, mark: string): Promise<ProbeRecord>;
  /** CPU time of the page's main thread so far, ms; time spent waiting for a core does not count. */
  cpuMs(): Promise<number>;
  /** Bytes in use after a garbage collection. */
  heapBytes(): Promise<number>;
  close(): Promise<void>;
}

export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH;
  if (executablePath === undefined) throw new Error("no browser was found; set CHROMIUM_PATH");
  return chromium.launch({ executablePath, args: [...chromiumArguments] });
}

/** Opens a URL (the product's signs in) in its own browser context and waits until the page can be used. */
export async function openPage(browser: Browser, { url }: { readonly url: string }): Promise<BenchPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US" });
  context.setDefaultTimeout(limitMs);
  await context.addInitScript({ path: fileURLToPath(new URL("probe.js", import.meta.url)) });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator(idleComposer).first().waitFor();
  const devtools = await context.newCDPSession(page);
  return {
    page,
    context,
    devtools,
    async openSession(id) {
      await page.goto(new URL(`/s/${id}`, url).href);
      await page.locator(idleComposer).first().waitFor();
    },
    sendPrompt: (text, mark) => sendPrompt(page, text, mark),
    async cpuMs() {
      await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
      const { metrics } = await devtools.send("Performance.getMetrics");
      return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
    },
    async heapBytes() {
      await devtools.send("HeapProfiler.enable");
      await devtools.send("HeapProfiler.collectGarbage");
      const { usedSize } = await devtools.send("Runtime.getHeapUsage");
      return usedSize;
    },
    close: () => context.close(),
  };
}

export const idleComposer = "[data-composer][data-state=idle] textarea";

async function sendPrompt(page: Page, text: string, mark: string): Promise<ProbeRecord> {
  const composer = page.locator(idleComposer).first();
  await composer.waitFor();
  await armProbe(page, mark);
  await composer.fill(text);
  await page.keyboard.press("Enter");
  const probe = await waitForMark(page);
  await composer.waitFor();
  return probe;
}

/** Makes the probe watch for the mark from now on. */
export const armProbe = (page: Page, mark: string): Promise<void> =>
  page.evaluate(`benchProbe.arm(${JSON.stringify(mark)})`);

/** Resolves with the probe's records when the mark is on screen. */
export async function waitForMark(page: Page, atMostMs = limitMs * 3): Promise<ProbeRecord> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("the mark did not appear on screen in time")), atMostMs).unref();
  });
  const seen: Promise<ProbeRecord> = page.evaluate("benchProbe.marked()");
  return Promise.race([seen, late]);
}
