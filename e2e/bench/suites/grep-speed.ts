/** Compares the grep tool on a large tree with ripgrep itself, alternating. */
import { spawnSync } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import type { Bench } from "../bench";
import { newSession, runBenchPrompt, startProduct } from "../server/bench-product";
import { median, formatMs, type BenchRow, formatRatio } from "../bench-row";
import { makeTree } from "../data/make-tree";

const grepBudget = 1.2;
const needlePattern = "needle_[0-9]+";

export async function grepSpeed(bench: Bench): Promise<readonly BenchRow[]> {
  const files = bench.quick ? 10_000 : 40_000;
  const project = bench.folder("project");
  makeTree(project, { files, lines: 100 });
  const model = await startScriptedModel();
  const product = await startProduct(bench, { home: bench.folder("home"), project, modelUrl: model.url });
  try {
    const tool: number[] = [];
    const bare: number[] = [];
    const sessionId = await newSession(product);
    const rounds = bench.quick ? 5 : 15;
    for (let round = 0; round <= rounds; round += 1) {
      const startedAt = performance.now();
      spawnSync(rgPath, ["--line-number", "--no-require-git", needlePattern, "."], { cwd: project });
      const bareMs = performance.now() - startedAt;
      model.setScript({
        turns: [{ toolCalls: [{ name: "grep", arguments: { pattern: needlePattern } }] }, { text: "Found." }],
      });
      await runBenchPrompt(product, sessionId, `Search ${round}`);
      // The first round warms the file cache for both.
      if (round === 0) continue;
      bare.push(bareMs);
      tool.push(await lastCallMs(product, sessionId));
    }
    const ratios = tool.map((each, index) => each / (bare[index] ?? Number.NaN));
    return [
      {
        id: "grep-tool",
        what: `grep tool in ${files.toLocaleString("en")} files, call to result`,
        measured: `${formatMs(median(tool))}, ${formatRatio(median(ratios))}`,
        yardstick: `rg itself ${formatMs(median(bare))}`,
        budget: `≤ ${grepBudget} ×`,
        met: median(ratios) <= grepBudget,
        figures: { medianMs: median(tool), rgMedianMs: median(bare), ratio: median(ratios), rounds: tool.length },
      },
    ];
  } finally {
    await product.end();
    await model.close();
  }
}

async function lastCallMs(
  product: Awaited<ReturnType<typeof startProduct>>,
  sessionId: Awaited<ReturnType<typeof newSession>>,
): Promise<number> {
  const { snapshot } = await product.call("session.open", { sessionId });
  const calls = snapshot.entries.flatMap((entry) => (entry.kind === "message" ? entry.calls : []));
  const last = calls.at(-1);
  if (last?.state !== "ok" || last.tookMs === undefined) throw new Error(`the call ended ${last?.state}`);
  return last.tookMs;
}
