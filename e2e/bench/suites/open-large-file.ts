/**
 * Measures opening a file of 5 MB: from Enter in quick open to its first lines painted, beside a bare page with
 * CodeMirror that fetches the same bytes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import type { Page } from "playwright";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { type Bench, cacheFolder } from "../bench";
import { type BenchRow, formatMs, formatRatio, median } from "../bench-row";
import { armProbe, launchBrowser, openPage, waitForMark } from "../browser/bench-page";
import { serveFolder } from "../browser/empty-page";
import { startProduct } from "../server/bench-product";

const fileBytes = 5_000_000;
const openBudget = 1.5;
const sourceLine = "export const value = compute(first, second) ?? fallback; // nothing to see here\n";

// The attributes are those by which the bench finds the product's own composer.
const bareHtml = `<!doctype html><style>.cm-editor { height: 600px }</style>
<div data-composer data-state="idle"><textarea></textarea></div><script src="editor.js"></script>`;

const bareCode = `
import { EditorView, lineNumbers } from "@codemirror/view";
import { javascript } from "@codemirror/lang-javascript";
import { defaultHighlightStyle, syntaxHighlighting } from "@codemirror/language";
const extensions = [lineNumbers(), javascript({ typescript: true }), syntaxHighlighting(defaultHighlightStyle)];
const field = document.querySelector("textarea");
let view;
field.addEventListener("keydown", async (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const doc = await (await fetch(field.value)).text();
  view?.destroy();
  view = new EditorView({ doc, extensions, parent: document.body });
});
`;

const fileName = (round: number): string => `large${round}.ts`;
/** Text in the first line of the file. */
const markOf = (round: number): string => `FIRSTLINE${round}END`;

export async function openLargeFile(bench: Bench): Promise<readonly BenchRow[]> {
  const [home, project, bareFolder] = [bench.folder("home"), bench.folder("project"), bench.folder("bare")];
  const rounds = bench.quick ? 3 : 9;
  // The first round loads the code of the editor and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const text = `// ${markOf(round)}\n${sourceLine.repeat(Math.ceil(fileBytes / sourceLine.length))}`;
    for (const folder of [project, bareFolder]) writeFileSync(join(folder, fileName(round)), text);
  }
  await writeBarePage(bareFolder);
  const model = await startScriptedModel();
  const product = await startProduct(bench, { home, project, modelUrl: model.url });
  const bareServer = await serveFolder(bareFolder);
  const browser = await launchBrowser();
  try {
    const own = await openPage(browser, product);
    const bare = await openPage(browser, bareServer);
    const opened: Record<"own" | "bare", number[]> = { own: [], bare: [] };
    for (let round = 0; round <= rounds; round += 1) {
      await chooseInQuickOpen(own.page, fileName(round));
      const ownMs = await pressEnter(own.page, markOf(round));
      await bare.page.locator("textarea").fill(fileName(round));
      const bareMs = await pressEnter(bare.page, markOf(round));
      if (round === 0) continue;
      opened.own.push(ownMs);
      opened.bare.push(bareMs);
    }
    return [openRow(opened.own, opened.bare)];
  } finally {
    await browser.close();
    bareServer.server.close();
    await product.end();
    await model.close();
  }
}

async function writeBarePage(folder: string): Promise<void> {
  writeFileSync(join(folder, "index.html"), bareHtml);
  mkdirSync(cacheFolder, { recursive: true });
  // Below the checkout, where its packages are found.
  const input = join(cacheFolder, "bare-editor.js");
  writeFileSync(input, bareCode);
  await build({
    input,
    platform: "browser",
    logLevel: "silent",
    output: { file: join(folder, "editor.js"), format: "iife", minify: true },
  });
}

async function chooseInQuickOpen(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+p");
  await page.getByRole("combobox").fill(name);
  await page.getByRole("option", { name }).first().waitFor();
}

/** Returns the time from Enter to the frame that shows the mark, by the page's clock, ms. */
async function pressEnter(page: Page, mark: string): Promise<number> {
  await page.bringToFront();
  await armProbe(page, mark);
  await page.keyboard.press("Enter");
  const { enterAt, markAt } = await waitForMark(page);
  return markAt - enterAt;
}

function openRow(samples: readonly number[], bare: readonly number[]): BenchRow {
  const ratio = median(samples) / median(bare);
  return {
    id: "open-large-file",
    what: "opening a 5 MB file: Enter in quick open to its text painted",
    measured: `${formatMs(median(samples))}, ${formatRatio(ratio)}`,
    yardstick: `bare page with CodeMirror ${formatMs(median(bare))}`,
    budget: `≤ ${openBudget} ×`,
    met: ratio <= openBudget,
    figures: {
      medianMs: median(samples),
      worstMs: Math.max(...samples),
      bareMedianMs: median(bare),
      ratio,
      rounds: samples.length,
    },
  };
}
