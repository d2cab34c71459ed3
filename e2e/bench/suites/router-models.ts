/** The list of a real llama-server with many models, as the Models page gets it, beside the server's own answer. */
import { spawn } from "node:child_process";
import { linkSync } from "node:fs";
import { join } from "node:path";
import { findLlamaServer } from "../../fixtures/find-llama-server";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { writeTinyModel } from "../../fixtures/tiny-model.mjs";
import { type Bench, endProcess, pollFor } from "../bench";
import { type BenchRow, formatMs, formatRatio, median, unmeasuredRow } from "../bench-row";
import { freePort, startProduct } from "../server/bench-product";

const count = 200;
const budget = 1.2;
const startLimitMs = 30_000;

export async function routerModels(bench: Bench): Promise<readonly BenchRow[]> {
  const { program, why } = await findLlamaServer();
  if (program === null) return [unmeasuredRow("router-models", `a router with ${count} models`, why)];
  const folder = bench.folder("models");
  const first = join(folder, "model-1.gguf");
  writeTinyModel(first, { answers: [{ text: "Hello." }] });
  for (let number = 2; number <= count; number += 1) linkSync(first, join(folder, `model-${number}.gguf`));
  const port = await freePort();
  const router = spawn(program, ["--models-dir", folder, "--host", "127.0.0.1", "--port", `${port}`], {
    detached: true,
    stdio: "ignore",
  });
  const model = await startScriptedModel();
  const product = await startProduct(bench, {
    home: bench.folder("home"),
    project: bench.folder("project"),
    modelUrl: model.url,
  });
  try {
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    const listOf = async (): Promise<{ readonly data: readonly object[] }> => (await fetch(`${baseUrl}/models`)).json();
    await pollFor("the start of the router", startLimitMs, () => listOf().catch(() => undefined));
    const saved = { name: "Rack", preset: "llamacpp", baseUrl, model: "", numCtx: 0 };
    const { id } = await product.call("connections.save", saved);
    const [bare, own]: [number[], number[]] = [[], []];
    for (let round = 0; round <= (bench.quick ? 15 : 40); round += 1) {
      const startedAt = performance.now();
      const listed = (await listOf()).data.length;
      const betweenAt = performance.now();
      const { models } = await product.call("connections.models", { id });
      const ownMs = performance.now() - betweenAt;
      if (models.length !== count || listed !== count) throw new Error(`${models.length} of ${listed} models`);
      // The first round connects.
      if (round === 0) continue;
      bare.push(betweenAt - startedAt);
      own.push(ownMs);
    }
    return [routerRow(own, bare)];
  } finally {
    await product.end();
    await model.close();
    await endProcess(router);
  }
}

function routerRow(own: readonly number[], bare: readonly number[]): BenchRow {
  const ratio = median(own) / median(bare);
  return {
    id: "router-models",
    what: `list of a router with ${count} models, for the Models page`,
    measured: `${formatMs(median(own))}, ${formatRatio(ratio)}`,
    yardstick: `its own /models ${formatMs(median(bare))}`,
    budget: `≤ ${budget} ×`,
    met: ratio <= budget,
    figures: { medianMs: median(own), bareMedianMs: median(bare), ratio, rounds: own.length },
  };
}
