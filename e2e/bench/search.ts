/** Compares the grep tool on a large tree with ripgrep itself, alternating. */
import { spawnSync } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";
import { startScriptedModel } from "../fixtures/scripted-model.mjs";
import type { Bench } from "./bench";
import { newSession, runPrompt, startProduct } from "./product";
import { median, ms, type Row, times } from "./row";
import { makeTree } from "./tree";

const budget = 1.2;
const pattern = "needle_[0-9]+";

export async function search(bench: Bench): Promise<readonly Row[]> {
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
      spawnSync(rgPath, ["--line-number", "--no-require-git", pattern, "."], { cwd: project });
      const bareMs = performance.now() - startedAt;
      model.setScript({ turns: [{ toolCalls: [{ name: "grep", arguments: { pattern } }] }, { text: "Found." }] });
      await runPrompt(product, sessionId, `Search ${round}`);
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
        measured: `${ms(median(tool))}, ${times(median(ratios))}`,
        yardstick: `rg itself ${ms(median(bare))}`,
        budget: `≤ ${budget} ×`,
        met: median(ratios) <= budget,
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
