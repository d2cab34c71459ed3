/** Measures keys in another terminal and in the message field while a terminal prints without end. */
import type { Page } from "playwright";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import type { Bench } from "../bench";
import { type BenchRow, formatMegabytes, formatMs, percentile } from "../bench-row";
import { idleComposer, launchBrowser, openPage } from "../browser/bench-page";
import { startProduct } from "../server/bench-product";
import { readMemory } from "../server/process-tree";

const latencyBudgetMs = 200;
const memoryBudgetBytes = 64 * 1_048_576;
const screens = "[data-terminal]";

/** Without WebGL, so that the screen is text in the page; `benchKey` resolves with the time from the key to its text. */
const pageScript = `
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return kind === "webgl2" ? null : getContext.call(this, kind, options);
  };
  window.benchKey = (selector, index, text) => new Promise((resolve) => {
    const element = () => document.querySelectorAll(selector)[index];
    addEventListener("keydown", ({ timeStamp }) => {
      const look = () => {
        const shown = element()?.value ?? element()?.querySelector(".xterm-rows")?.textContent ?? "";
        if (shown.includes(text)) resolve(performance.now() - timeStamp);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  });
`;

/** Returns the times from a key to the frame that shows it, ms, until `untilMs` have passed. */
async function measureKeys(page: Page, field: { selector: string; index: number }, untilMs: number): Promise<number[]> {
  const times: number[] = [];
  const endAt = performance.now() + untilMs;
  const target = page.locator(field.selector).nth(field.index);
  await target.click();
  for (let typed = ""; performance.now() < endAt; ) {
    // A new text each time: ten letters fit into any row.
    const letter = String.fromCharCode(97 + (typed.length % 26));
    if (typed.length === 10) {
      for (let count = 0; count < typed.length; count += 1) await page.keyboard.press("Backspace");
      typed = "";
      continue;
    }
    typed += letter;
    const watch = `benchKey(${JSON.stringify(field.selector)}, ${field.index}, ${JSON.stringify(typed)})`;
    await page.evaluate(`void (window.benchTime = ${watch})`);
    await page.keyboard.press(letter);
    times.push(Number(await page.evaluate("benchTime")));
  }
  return times;
}

export async function terminalFlood(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const options = { home: bench.folder("home"), project: bench.folder("project"), modelUrl: model.url };
  const product = await startProduct(bench, { ...options, environment: { SHELL: "/bin/bash" } });
  const browser = await launchBrowser();
  try {
    const view = await openPage(browser, product);
    const { page } = view;
    await page.addInitScript(pageScript);
    await page.reload();
    await page.locator(idleComposer).first().waitFor();
    await page.keyboard.press("Control+Backquote");
    await page.locator(screens).first().click();
    await page.getByRole("button", { name: "Split terminal", exact: true }).click();
    await page.locator(screens).nth(1).waitFor();
    const partMs = bench.quick ? 1_500 : 5_000;
    const shell = { selector: screens, index: 1 };
    const composer = { selector: idleComposer, index: 0 };
    const quiet = await measureKeys(page, shell, partMs / 2);
    await page.keyboard.press("Control+u");
    const bytesBefore = readMemory(product.pid).rssBytes;
    await page.locator(screens).first().click();
    await page.keyboard.type("yes\n");
    const echo = await measureKeys(page, shell, partMs);
    const typing = await measureKeys(page, composer, partMs);
    const grownBytes = readMemory(product.pid).rssBytes - bytesBefore;
    const latencyRow = (id: string, action: string, times: readonly number[]): BenchRow => ({
      id,
      what: `${action} while a terminal prints without end, p95`,
      measured: formatMs(percentile(times, 0.95)),
      yardstick: `echo of a quiet terminal ${formatMs(percentile(quiet, 0.95))}`,
      budget: `≤ ${latencyBudgetMs} ms`,
      met: percentile(times, 0.95) <= latencyBudgetMs,
      figures: { p95Ms: percentile(times, 0.95), longestMs: Math.max(...times), keys: times.length },
    });
    return [
      latencyRow("terminal-flood-echo", "echo of another terminal", echo),
      latencyRow("terminal-flood-typing", "key in the message field", typing),
      {
        id: "terminal-flood-memory",
        what: `server after ${(2 * partMs) / 1_000} s of such output`,
        measured: `${formatMegabytes(grownBytes)} more`,
        yardstick: "before it",
        budget: `≤ ${formatMegabytes(memoryBudgetBytes)}`,
        met: grownBytes <= memoryBudgetBytes,
        figures: { grownBytes },
      },
    ];
  } finally {
    await browser.close();
    await product.end();
    await model.close();
  }
}
