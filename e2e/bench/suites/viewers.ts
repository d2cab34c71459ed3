/**
 * Measures 200 viewers of one share while its session streams: their lag behind the owner, their cost to the owner,
 * and the cost of viewers that stop reading.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { SessionId } from "@/lib/events/id";
import { killProcess } from "@/lib/testing/test-process";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { type Bench, root } from "../bench";
import { readCpuMs, readMemory } from "../server/process-tree";
import {
  freshBenchCommandId,
  newSession,
  type BenchProduct,
  runBenchPrompt,
  startProduct,
} from "../server/bench-product";
import { formatMegabytes, formatMs, unmeasuredRow, percentile, type BenchRow } from "../bench-row";

const viewerCount = 200;
const streamTokensPerSecond = 100;
const lagBudgetMs = 50;
/** Printed while viewers do not read; far more than the system's own buffers hold. */
const printedLines = 3_000_000;
const memoryBudgetBytes = 40_000_000;

interface WatchResult {
  readonly ownerMs: readonly number[];
  readonly lagsMs: readonly number[];
  readonly words: number;
  readonly missedWords: number;
}

interface ViewersContext {
  readonly bench: Bench;
  readonly product: BenchProduct;
  readonly bearer: string;
}

export async function viewers(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const home = bench.folder("home");
  const product = await startProduct(bench, { home, project: bench.folder("project"), modelUrl: model.url });
  const { token: bearer }: { token: string } = JSON.parse(readFileSync(join(home, "server.json"), "utf8"));
  const scene: ViewersContext = { bench, product, bearer };
  const words = bench.quick ? 300 : 1_000;
  const pieces = Array.from({ length: words }, () => "{now} ");
  try {
    const watched: WatchResult[] = [];
    const cpu: number[] = [];
    for (const count of [0, 1, viewerCount]) {
      model.setScript({ turns: [{ pieces, tps: streamTokensPerSecond, stamp: true }] });
      const before = readCpuMs(product.pid);
      watched.push(await watch(scene, count));
      cpu.push(readCpuMs(product.pid) - before);
    }
    const [alone, one, all] = watched;
    if (alone === undefined || one === undefined || all === undefined) return [];
    const shares = cpu.map((spent) => spent / ((words / streamTokensPerSecond) * 1_000));
    model.setScript({
      turns: [
        { toolCalls: [{ name: "bash", arguments: { command: `seq 1 ${printedLines}` } }] },
        { text: "Done." },
        { toolCalls: [{ name: "bash", arguments: { command: `seq 1 ${printedLines}` } }] },
        { text: "Done." },
      ],
    });
    return [lagRow(one, all, shares), ownerRow(alone, all), await stoppedRow(scene)];
  } finally {
    await product.end();
    await model.close();
  }
}

/** Creates a link to the session at the first address; fails on a machine without a network. */
async function createShareLink({ product }: ViewersContext, sessionId: SessionId): Promise<string> {
  const { links } = await product.call("share.create", { sessionId, kind: "live", outputs: true, hours: 1 });
  return links[0]?.url ?? "";
}

/** Per client, when it received each word: the word's stamp, and ms since 1970. */
type ReceivedWords = readonly (readonly (readonly [word: string, at: number])[])[];

interface WatcherClients {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: Readonly<Record<string, string>>;
  readonly count: number;
}

const ownerClients = ({ product, bearer }: ViewersContext): WatcherClients => ({
  origin: `http://localhost:${product.port}`,
  headers: { Authorization: `Bearer ${bearer}` },
  auth: { clientId: "bench-owner" },
  count: 1,
});

async function viewerClients(scene: ViewersContext, sessionId: SessionId, count: number): Promise<WatcherClients> {
  const { origin, hash } = new URL(await createShareLink(scene, sessionId));
  return { origin, headers: { Origin: origin }, auth: { token: hash.slice(1) }, count };
}

/** Starts the client process; resolves when all clients have the session open. */
async function startWatchers({ bench }: ViewersContext, sessionId: SessionId, clients: WatcherClients) {
  const parameters = JSON.stringify({ ...clients, sessionId, lastMs: 500 });
  const child = bench.spawn([join(root, "e2e/bench/watchers.mjs"), parameters], { cwd: root });
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors += String(chunk);
  });
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  if (child.stdout)
    createInterface({ input: child.stdout }).on("line", (line) => {
      const next = waiting.shift();
      if (next === undefined) lines.push(line);
      else next(line);
    });
  const line = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const buffered = lines.shift();
      if (buffered !== undefined) return resolve(buffered);
      waiting.push(resolve);
      child.once("exit", (code) => reject(new Error(`watchers ended with ${code}: ${errors.slice(-300)}`)));
    });
  await line();
  return {
    child,
    async seen(): Promise<ReceivedWords> {
      const seen: ReceivedWords = JSON.parse(await line());
      return seen;
    },
  };
}

async function watch(scene: ViewersContext, count: number): Promise<WatchResult> {
  const sessionId = await newSession(scene.product);
  const owner = await startWatchers(scene, sessionId, ownerClients(scene));
  const watchers =
    count === 0 ? null : await startWatchers(scene, sessionId, await viewerClients(scene, sessionId, count));
  const commandId = freshBenchCommandId();
  await scene.product.call("session.send", { sessionId, commandId, text: "Write", intent: "prompt" });
  const [all, own] = await Promise.all([watchers?.seen() ?? [], owner.seen()]);
  const owners = new Map(own[0]);
  return {
    // A stamp is in tenths of a millisecond.
    ownerMs: [...owners].map(([word, at]) => at - Number(word) / 10),
    lagsMs: all.flatMap((seen) =>
      seen.flatMap(([word, at]) => (owners.has(word) ? [at - (owners.get(word) ?? 0)] : [])),
    ),
    words: owners.size,
    missedWords: all.filter((seen) => seen.length < owners.size).length,
  };
}

function lagRow(one: WatchResult, all: WatchResult, cpu: readonly number[]): BenchRow {
  const p95 = percentile(all.lagsMs, 0.95);
  const percent = (share: number | undefined): string => `${((share ?? 0) * 100).toFixed(0)} %`;
  return {
    id: "viewers-lag",
    what: `${viewerCount} viewers of a session at ${streamTokensPerSecond} tokens/s, a word's end at the owner to the viewer's socket`,
    measured: `p50 ${formatMs(percentile(all.lagsMs, 0.5))}, p95 ${formatMs(p95)}; ${all.missedWords} missed words; server CPU ${percent(cpu[2])} of a core`,
    yardstick: `one viewer: p95 ${formatMs(percentile(one.lagsMs, 0.95))}, CPU ${percent(cpu[1])}; none: CPU ${percent(cpu[0])}`,
    budget: `p95 ≤ ${lagBudgetMs} ms`,
    met: p95 <= lagBudgetMs && all.missedWords === 0,
    figures: {
      p50Ms: percentile(all.lagsMs, 0.5),
      p95Ms: p95,
      p99Ms: percentile(all.lagsMs, 0.99),
      oneP95Ms: percentile(one.lagsMs, 0.95),
      samples: all.lagsMs.length,
      missed: all.missedWords,
    },
  };
}

function ownerRow(alone: WatchResult, all: WatchResult): BenchRow {
  const without = percentile(alone.ownerMs, 0.95);
  const beside = percentile(all.ownerMs, 0.95);
  return {
    id: "viewers-owner",
    what: `the owner's stream beside ${viewerCount} viewers, a token at the model server to the owner's socket`,
    measured: `p50 ${formatMs(percentile(all.ownerMs, 0.5))}, p95 ${formatMs(beside)}`,
    yardstick: `without viewers p50 ${formatMs(percentile(alone.ownerMs, 0.5))}, p95 ${formatMs(without)}`,
    budget: "unchanged: p95 ≤ 10 ms more",
    met: beside <= without + 10,
    figures: { p95Ms: beside, aloneP95Ms: without },
  };
}

/** Suspends a viewer's whole process, as a phone does with a page in the background. */
async function stoppedRow(scene: ViewersContext): Promise<BenchRow> {
  if (process.platform !== "linux")
    return unmeasuredRow("viewers-stopped", "a viewer that stops reading", "needs /proc");
  const { product } = scene;
  const sessionId = await newSession(product, "full");
  // The first run warms the server up; memory it retains from that is not caused by the viewers.
  await runBenchPrompt(product, sessionId, "print");
  const before = readMemory(product.pid).ussBytes;
  const { child } = await startWatchers(scene, sessionId, await viewerClients(scene, sessionId, 20));
  killProcess(child.pid, "SIGSTOP");
  await runBenchPrompt(product, sessionId, "print again");
  const grown = readMemory(product.pid).ussBytes - before;
  killProcess(child.pid);
  return {
    id: "viewers-stopped",
    what: "20 viewers that stop reading while a call prints 23 MB",
    measured: `the server grew by ${formatMegabytes(grown)}`,
    yardstick: "23 MB each, unbounded",
    budget: `≤ ${formatMegabytes(memoryBudgetBytes)} (20 × 1 MB and the cost of a run)`,
    met: grown <= memoryBudgetBytes,
    figures: { grownBytes: grown },
  };
}
