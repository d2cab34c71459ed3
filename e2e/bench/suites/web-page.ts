/** A page of 500 KB to Markdown: the built worker, as the server runs it, next to the same libraries alone in a thread. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Bench, root } from "../bench";
import { type BenchRow, formatMs, formatRatio, median } from "../bench-row";
import { measureThread } from "../server/measure-thread";

const pageChars = 500_000;
const loopBudgetMs = 50;
const builtWorker = pathToFileURL(join(root, "dist/server/page-worker.js"));
const bareWorker = new URL("../data/bare-page.mjs", import.meta.url);

/** An article with headings, links, lists, code and a table. */
function makePage(): string {
  const sections: string[] = [];
  for (let index = 0, chars = 0; chars < pageChars; index += 1) {
    const section = `<h2>Section ${index}</h2><p>The ${index}th part explains <a href="/part/${index}">a <b>step</b></a> of the work, with <code>run(${index})</code> and some more words about what it does, and why.</p><ul><li>first point of ${index}</li><li>second point, which is longer</li></ul><pre><code>const value${index} = compute(${index});\n</code></pre><table><tr><th>name</th><th>value</th></tr><tr><td>size</td><td>${index}</td></tr></table>`;
    sections.push(section);
    chars += section.length;
  }
  return `<!doctype html><html><head><title>A long page</title></head><body><nav><a href="/">Home</a></nav><article>${sections.join("\n")}</article></body></html>`;
}

export async function webPage(bench: Bench): Promise<readonly BenchRow[]> {
  const bytes = new TextEncoder().encode(makePage());
  const page = { bytes, type: "text/html; charset=utf-8", url: "https://docs.example.com/" };
  const [ours, bare]: [number[], number[]] = [[], []];
  const longest = { bareMs: 0, oursMs: 0 };
  for (let round = 0; round < (bench.quick ? 3 : 7); round += 1) {
    const alone = await measureThread(bareWorker, page);
    bare.push(alone.tookMs);
    longest.bareMs = Math.max(longest.bareMs, alone.longestMs);
    const { message, tookMs, longestMs } = await measureThread<{ readonly text: string }>(builtWorker, page);
    ours.push(tookMs);
    longest.oursMs = Math.max(longest.oursMs, longestMs);
    if (!message.text.includes("## Section 100")) throw new Error("the worker lost a section");
  }
  const ratio = median(ours) / median(bare);
  const sizeKb = Math.round(bytes.length / 1_000);
  return [
    {
      id: "web-page",
      what: `a page of ${sizeKb} KB to Markdown, the start of its thread included`,
      measured: `${formatMs(median(ours))}, ${formatRatio(ratio)}`,
      yardstick: `the same libraries alone in a thread ${formatMs(median(bare))}`,
      budget: "≤ 1.2 ×",
      met: ratio <= 1.2,
      figures: { medianMs: median(ours), bareMedianMs: median(bare), ratio, rounds: ours.length },
    },
    {
      id: "web-page-loop",
      what: "longest delay of the event loop that waits for it",
      measured: formatMs(longest.oursMs),
      yardstick: `with the same libraries alone ${formatMs(longest.bareMs)}`,
      budget: `≤ ${loopBudgetMs} ms`,
      met: longest.oursMs <= loopBudgetMs,
      figures: { longestMs: longest.oursMs, bareLongestMs: longest.bareMs },
    },
  ];
}
